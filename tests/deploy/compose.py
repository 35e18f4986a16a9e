"""Reads docker-compose.yml, and runs its services as processes of this machine on free ports."""

import os
import re
import ssl
import subprocess
import sys
import time
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Self

import httpx
import yaml

from tests.faults.stores import PrivatePostgres, PrivateRedis
from tests.support import needs
from tests.support.server import ROOT, free_port

_VARIABLE = re.compile(r"\$\{(\w+)(?::([-?])([^}]*))?\}")


def read(variables: Mapping[str, str]) -> dict[str, Any]:
    """Return the services, with variables filled in as compose does.

    :raises KeyError: for a variable that the file wants and nobody has set, with its message.
    """

    def fill(match: re.Match[str]) -> str:
        name, kind, text = match.groups()
        if variables.get(name):
            return variables[name]
        if kind == "-":
            return str(text)
        raise KeyError(f"{name}: {text}")

    text = (ROOT / "docker-compose.yml").read_text()
    lines = [line for line in text.splitlines() if not line.lstrip().startswith("#")]
    services: dict[str, Any] = yaml.safe_load(_VARIABLE.sub(fill, "\n".join(lines)))["services"]
    return services


class Compose:
    """The whole service: stores, migrate once, web processes, the proxy with TLS."""

    def __init__(self, folder: Path, *, web: int = 2) -> None:
        self.folder = folder
        self.port = free_port()
        self.origin = f"https://localhost:{self.port}"
        self.certificate = folder / "fullchain.pem"
        self.postgres, self.redis = PrivatePostgres(), PrivateRedis()
        self.web_ports = [free_port() for _ in range(web)]
        self.web: list[subprocess.Popen[bytes]] = []
        self._stack = ExitStack()
        self._services = read(
            {
                "CRESCENT_SECRET_KEY": "k7Qx2v" * 10,
                "CRESCENT_HOSTS": "localhost",
                "CRESCENT_PROXIES": "127.0.0.0/8",
                "POSTGRES_PASSWORD": "word",
                "WEB_PROCESSES": str(web),
            }
        )

    def __enter__(self) -> Self:
        with ExitStack() as stack:
            stack.enter_context(self.postgres)
            stack.enter_context(self.redis)
            self._run("migrate").wait_well()
            self.web = [self.start_web(port) for port in self.web_ports]
            stack.callback(self._end_web)
            for port in self.web_ports:
                wait_for(f"http://127.0.0.1:{port}/readyz")
            self._certify()
            proxy = self._proxy()
            stack.callback(end, proxy)
            wait_for(f"{self.origin}/healthz", self.certificate)
            self._stack = stack.pop_all()
        return self

    def _end_web(self) -> None:
        for process in self.web:
            end(process)

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def start_web(self, port: int) -> "subprocess.Popen[bytes]":
        """Start one of the web processes."""
        return self._run("web", port=port).process

    def stop(self, number: int, *, kill: bool = False) -> None:
        """End one of the web processes, as an upgrade does or as a power cut."""
        process = self.web[number]
        if kill:
            process.kill()
            process.wait()
        else:
            end(process)
            assert process.returncode == 0, f"it ended with {process.returncode}"

    def start(self, number: int) -> None:
        """Start a web process in an ended one's place; returns when it is ready."""
        port = self.web_ports[number]
        self.web[number] = self.start_web(port)
        wait_for(f"http://127.0.0.1:{port}/readyz")

    def replace(self, number: int) -> None:
        """Put a new web process in an old one's place, as an upgrade does."""
        self.stop(number)
        self.start(number)

    def upgrade(self) -> None:
        """Do what docs/operations.md says: migrate, then replace the processes one by one."""
        self._run("migrate").wait_well()
        for number in range(len(self.web)):
            self.replace(number)

    def sockets(self) -> list[int]:
        """Return how many sockets each web process has; an ended one has none."""
        return [
            0 if process.poll() is not None else sockets_at(port)
            for process, port in zip(self.web, self.web_ports, strict=True)
        ]

    def _run(self, name: str, port: int = 8000) -> "Running":
        service = self._services[name]
        environment = {
            key: str(value)
            .replace("crescent:word@postgres:5432", f"postgres@127.0.0.1:{self.postgres.port}")
            .replace("redis:6379", f"127.0.0.1:{self.redis.port}")
            for key, value in service["environment"].items()
        }
        # The image's Python is this one, its port is ours alone, its address this machine's.
        command = [
            word.replace("0.0.0.0", "127.0.0.1").replace("8000", str(port))
            for word in service["command"]
        ]
        path = f"{Path(sys.executable).parent}:/usr/bin:/bin"
        log = (self.folder / f"{name}.log").open("ab")
        process = subprocess.Popen(
            command,
            cwd=ROOT,
            env={**environment, "PATH": path, "CRESCENT_DATA": str(self.folder / "data")},
            stdout=log,
            stderr=log,
        )
        log.close()
        return Running(process, self.folder / f"{name}.log")

    def _certify(self) -> None:
        subprocess.run(
            [
                *("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2"),
                *("-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"),
                *("-keyout", str(self.folder / "privkey.pem"), "-out", str(self.certificate)),
            ],
            check=True,
            capture_output=True,
        )

    def _proxy(self) -> "subprocess.Popen[bytes]":
        files = self.folder / "files"
        files.mkdir()
        (files / "static").symlink_to(ROOT / "frontend" / "dist")
        values = {key: str(value) for key, value in self._services["proxy"]["environment"].items()}
        (server,) = re.findall(r"server web:8000([^;]*);", values["UPSTREAMS"])
        values |= {
            "UPSTREAMS": " ".join(f"server 127.0.0.1:{port}{server};" for port in self.web_ports),
            "HTTP_PORT": str(free_port()),
            "HTTPS_PORT": str(self.port),
            "TLS": str(self.folder),
            "FILES": str(files),
        }
        template = (ROOT / "deploy" / "nginx.conf.template").read_text()
        site = re.sub(r"\$\{(\w+)\}", lambda match: values.get(match[1], match[0]), template)
        paths = "".join(
            f"{kind}_temp_path {self.folder / kind};"
            for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        )
        user = "user root;" if os.getuid() == 0 else ""
        (self.folder / "nginx.conf").write_text(
            f"daemon off; {user} pid {self.folder / 'nginx.pid'}; error_log stderr;"
            f"events {{}} http {{ include /etc/nginx/mime.types; access_log off; {paths}\n{site} }}"
        )
        nginx = needs.nginx()
        assert nginx is not None
        with (self.folder / "proxy.log").open("ab") as log:
            return subprocess.Popen(
                [nginx, "-e", "stderr", "-c", str(self.folder / "nginx.conf")],
                stdout=log,
                stderr=log,
            )


class Running:
    """A service's process and what it says."""

    def __init__(self, process: "subprocess.Popen[bytes]", log: Path) -> None:
        self.process, self._log = process, log

    def wait_well(self) -> None:
        """Wait until it has ended, and well."""
        assert self.process.wait(60) == 0, self._log.read_text()


def sockets_at(port: int) -> int:
    """Ask a web process how many sockets it has."""
    page = httpx.get(f"http://127.0.0.1:{port}/metrics").text
    return int(float(page.split("\ncrescent_sockets ")[1].split()[0]))


def end(process: "subprocess.Popen[bytes]") -> None:
    """End a process that may have ended."""
    if process.poll() is None:
        process.terminate()
        process.wait(15)


def wait_for(url: str, certificate: Path | None = None) -> None:
    """Wait until an address answers well."""
    verify = ssl.create_default_context(cafile=str(certificate)) if certificate else True
    deadline = time.monotonic() + 30
    while True:
        try:
            if httpx.get(url, verify=verify).status_code == 200:
                return
        except httpx.TransportError:
            pass
        assert time.monotonic() < deadline, f"nothing answers at {url}"
        time.sleep(0.05)
