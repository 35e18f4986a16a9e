"""Write the TypeScript types of the protocol, so that nobody types them by hand."""

import types
from argparse import ArgumentParser
from pathlib import Path
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import msgspec
from django.core.management.base import BaseCommand, CommandError

from games import protocol

PLAIN = {str: "string", int: "number", bool: "boolean", type(None): "null"}
NAMED = (protocol.WireTable, protocol.RaceRow, protocol.DealRow, protocol.RacerRow)


class Command(BaseCommand):
    """`manage.py protocol_types FILE [--check]`."""

    help = __doc__ or ""
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--check", action="store_true", help="only tell whether it is current")

    def handle(self, *args: Any, **options: Any) -> None:
        file: Path = options["file"]
        text = typescript()
        if not options["check"]:
            file.write_text(text)
        elif file.read_text() != text:
            message = f"{file} is not what games/protocol.py says: run make types"
            raise CommandError(message)


def typescript() -> str:
    """Return the whole file."""
    parts = ["// Made from games/protocol.py by `make types`. Do not edit.\n"]
    parts += [f"export interface {row.__name__} {_members(row, ';')}\n" for row in NAMED]
    parts.append(f"export type MovedRow = {_type(protocol.MovedRow)};\n")
    parts.append(_messages("ClientMessage", protocol.FromClient))
    parts.append(_messages("ServerMessage", protocol.FromServer))
    return "\n".join(parts)


def _messages(name: str, union: Any) -> str:
    lines = [f"  | {_members(message, ';')}" for message in get_args(union)]
    return f"export type {name} =\n" + "\n".join(lines) + ";\n"


def _members(struct: type[msgspec.Struct], end: str) -> str:
    tag = struct.__struct_config__.tag
    members = [f"type: '{tag}'"] if tag else []
    hints = get_type_hints(struct)
    for field in msgspec.structs.fields(struct):
        optional = "" if field.required else "?"
        members.append(f"{field.encode_name}{optional}: {_type(hints[field.name])}")
    return "{ " + " ".join(member + end for member in members) + " }"


def _type(hint: Any) -> str:
    origin, parts = get_origin(hint), get_args(hint)
    if hint in NAMED:
        return str(hint.__name__)
    if hint in PLAIN:
        return PLAIN[hint]
    if origin is Literal:
        return " | ".join(f"'{part}'" for part in parts)
    if origin in {types.UnionType, Union}:
        kept = [part for part in parts if part is not msgspec.UnsetType]
        return " | ".join(_type(part) for part in kept)
    if origin is dict:
        return f"Record<{_type(parts[0])}, {_type(parts[1])}>"
    if origin is list:
        return "MovedRow[]" if parts[0] == protocol.MovedRow else f"{_type(parts[0])}[]"
    if origin is tuple:
        return "[" + ", ".join(_type(part) for part in parts) + "]"
    message = f"no TypeScript type for {hint}"
    raise CommandError(message)
