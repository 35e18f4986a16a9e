"""The door for servers: one ASGI application for pages and sockets."""

import os

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "crescent_site.settings")

import django

django.setup()

from games.live.routing import application as build  # noqa: E402 -- after the settings

application = build()
