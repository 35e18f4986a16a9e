"""Every setting of the site; the environment decides, docs/operations.md lists the names."""

import os
from pathlib import Path
from typing import Any

import dj_database_url
from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured

from crescent_site import environment

BASE_DIR = Path(__file__).resolve().parent.parent
DATA_DIR = Path(os.environ.get("CRESCENT_DATA", BASE_DIR / "var")).resolve()


DEBUG = environment.flag("CRESCENT_DEBUG", default=False)
SECRET_KEY = environment.secret(DATA_DIR)
SECRET_KEY_GIVEN = environment.given("CRESCENT_SECRET_KEY")
# Unset means a home network: whoever reaches the port may use it. A server on the internet sets it.
ALLOWED_HOSTS = environment.names("CRESCENT_HOSTS") or ["*"]
# Origins besides the Host itself from which a page may open a socket, such as https://example.org.
SOCKET_ORIGINS = frozenset(environment.names("CRESCENT_ORIGINS"))
CSRF_TRUSTED_ORIGINS = sorted(SOCKET_ORIGINS)
HTTPS = environment.flag("CRESCENT_HTTPS", default=False)
# Proxies whose X-Forwarded-For is believed, when addresses are counted.
PROXIES = environment.networks("CRESCENT_PROXIES")

INSTALLED_APPS = [
    "games.apps.GamesConfig",  # first, so that its words win over the admin's
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "channels",
    "csp",
    "django_vite",
]

MIDDLEWARE = [
    "crescent_site.monitoring.Monitoring",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "games.web.language.OwnLanguage",
    "django.contrib.messages.middleware.MessageMiddleware",
    "crescent_site.limits.AddressLimits",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
]

ROOT_URLCONF = "crescent_site.urls"
ASGI_APPLICATION = "crescent_site.asgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
            "builtins": [
                "django.templatetags.i18n",
                "django.templatetags.static",
                "games.web.figures",
                "games.web.tags",
            ],
        },
    },
]

# --- Stores: two addresses decide everything -------------------------------------------------

_SQLITE: dict[str, Any] = {
    "ENGINE": "django.db.backends.sqlite3",
    "NAME": DATA_DIR / "crescent.sqlite3",
    "OPTIONS": {
        # IMMEDIATE: a transaction that will write waits at its start, never deadlocks in the
        # middle. FULL: what was committed has reached the disk, so an answer may be given.
        "transaction_mode": "IMMEDIATE",
        "timeout": 20,
        "init_command": (
            "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA busy_timeout=20000;"
            "PRAGMA cache_size=-32000; PRAGMA temp_store=MEMORY;"
        ),
    },
    # A file, not memory: the writer's thread and a server under test must see the same database.
    "TEST": {"NAME": str(DATA_DIR / f"test-{os.getpid()}.sqlite3")},
}


def _database() -> dict[str, Any]:
    url = os.environ.get("DATABASE_URL", "")
    if not url:
        DATA_DIR.mkdir(parents=True, exist_ok=True)
        return _SQLITE
    parsed: dict[str, Any] = dict(dj_database_url.parse(url))
    if parsed["ENGINE"] == "django.db.backends.sqlite3":
        return {**_SQLITE, "NAME": parsed["NAME"]}
    if parsed["ENGINE"] != "django.db.backends.postgresql":
        message = "DATABASE_URL must name a PostgreSQL or an SQLite database"
        raise ImproperlyConfigured(message)
    parsed["OPTIONS"] = {
        **parsed.get("OPTIONS", {}),
        # After the database was away a waiting request tries again at once, and the pool's own
        # attempts don't grow rarer and rarer.
        "pool": {
            "min_size": 2,
            "max_size": environment.number("CRESCENT_POOL", 8),
            "timeout": 10,
            "reconnect_timeout": 2,
        },
    }
    parsed["CONN_MAX_AGE"] = 0
    parsed["CONN_HEALTH_CHECKS"] = True  # a connection that has died is not handed out
    return parsed


DATABASES = {"default": _database()}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

REDIS_URL = os.environ.get("REDIS_URL", "")
if REDIS_URL and not REDIS_URL.startswith(("redis://", "rediss://", "unix://")):
    message = "REDIS_URL must be an address such as redis://host:6379/0"
    raise ImproperlyConfigured(message)
PREFIX = os.environ.get("CRESCENT_PREFIX", "") or "crescent"
CHANNEL_LAYERS: dict[str, Any] = {
    "default": {
        "BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer",
        "CONFIG": {"hosts": [REDIS_URL], "prefix": PREFIX},
    }
    if REDIS_URL
    else {"BACKEND": "channels.layers.InMemoryChannelLayer"}
}

# Counts for the limits; without Redis there is one process, and its memory will do.
CACHES: dict[str, Any] = {
    "default": {
        "BACKEND": "django.core.cache.backends.redis.RedisCache",
        "LOCATION": REDIS_URL,
        "KEY_PREFIX": PREFIX,
        "OPTIONS": {"socket_timeout": 1, "socket_connect_timeout": 1},
    }
    if REDIS_URL
    else {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}
}

# --- People ----------------------------------------------------------------------------------

AUTH_USER_MODEL = "games.Player"
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "games.services.passwords.LongEnough"},
    {"NAME": "games.services.passwords.UnlikeName", "OPTIONS": {"user_attributes": ["name"]}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
SESSION_COOKIE_AGE = 400 * 24 * 3600  # a guest is a guest as long as the browser keeps this
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = HTTPS
SECURE_SSL_REDIRECT = HTTPS
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if HTTPS else None
SECURE_HSTS_SECONDS = 365 * 24 * 3600 if HTTPS else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = HTTPS
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
CSRF_FAILURE_VIEW = "games.web.errors.csrf_failure"

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "img-src": [SELF, "data:"],
        "connect-src": [SELF],
        "object-src": [NONE],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
        "form-action": [SELF],
    },
    "EXCLUDE_URL_PREFIXES": ["/admin/"],
}

# --- Words and files -------------------------------------------------------------------------

LANGUAGE_CODE = "en"
LANGUAGES = [("en", "English"), ("uk", "Українська"), ("vi", "Tiếng Việt")]
LANGUAGE_COOKIE_AGE = SESSION_COOKIE_AGE
LANGUAGE_COOKIE_SAMESITE = "Lax"
USE_I18N = True
USE_TZ = True
TIME_ZONE = "UTC"

FRONTEND_DIST = BASE_DIR / "frontend" / "dist"
STATIC_URL = "/static/"
STATIC_ROOT = FRONTEND_DIST  # served from where it was built: no collectstatic before `run`
WHITENOISE_USE_FINDERS = True  # what Django's own apps bring, such as the admin's style
WHITENOISE_IMMUTABLE_FILE_TEST = r"^/static/assets/.+-[\w-]{8}\.\w+$"
DJANGO_VITE = {
    "default": {
        "dev_mode": False,
        "manifest_path": FRONTEND_DIST / "manifest.json",
    }
}

# --- Limits (docs/protocol.md); CRESCENT_LIMITS=off lifts rates and counts, never sizes --------

LIMITS = environment.flag("CRESCENT_LIMITS", default=True)
ACTIONS_PER_SECOND = environment.number("CRESCENT_ACTIONS_PER_SECOND", 20)  # of one socket
ACTIONS_BURST = environment.number("CRESCENT_ACTIONS_BURST", 60)
FRAME_BYTES = environment.number("CRESCENT_FRAME_BYTES", 4096)
DATA_UPLOAD_MAX_MEMORY_SIZE = 65_536  # of a form or a JSON body
FILE_UPLOAD_HANDLERS = ["crescent_site.uploads.NoFiles"]
OPEN_RACES = environment.number("CRESCENT_OPEN_RACES", 100)  # of one host
# By address: a whole school may sit behind one. The last is by the name that is tried.
RATES = {
    "guests": environment.rate("CRESCENT_RATE_GUESTS", "300/60"),
    "races": environment.rate("CRESCENT_RATE_RACES", "120/60"),
    "seats": environment.rate("CRESCENT_RATE_SEATS", "600/60"),
    "sign_ins": environment.rate("CRESCENT_RATE_SIGN_INS", "60/60"),
    "passwords": environment.rate("CRESCENT_RATE_PASSWORDS", "10/300"),
}
# A client that stops reading: what may wait for it behind the server's buffer, and how far what
# it says it has heard may lag behind what was sent to it.
WAITING_FRAMES = environment.number("CRESCENT_WAITING_FRAMES", 2_000)
WAITING_BYTES = environment.number("CRESCENT_WAITING_BYTES", 1_048_576)
KEEP_MS = 1000 * environment.number("CRESCENT_KEEP_SECONDS", 60)
UNHEARD_FRAMES = environment.number("CRESCENT_UNHEARD_FRAMES", 10_000)

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "line": {
            "()": "crescent_site.logs.Lines",
            "fmt": "%(asctime)s %(levelname)s %(name)s %(message)s",
        },
        "json": {"()": "crescent_site.logs.JsonLines"},
    },
    "filters": {"mistakes": {"()": "crescent_site.logs.NoTraceOfMistakes"}},
    "handlers": {
        "stderr": {
            "class": "logging.StreamHandler",
            "filters": ["mistakes"],
            "formatter": environment.choice("CRESCENT_LOG", "line", "json"),
        }
    },
    "root": {"handlers": ["stderr"], "level": "WARNING"},
    "loggers": {"games": {"level": "INFO"}},
}
