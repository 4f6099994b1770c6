"""What the programs of this folder share: who they are, and what they say to the process that started them."""

import os
import sys

ISSUER = os.environ["ISSUER"]
CLIENT_ID = os.environ["CLIENT_ID"]
# None for a public client.
CLIENT_SECRET = os.environ["CLIENT_SECRET"] or None
REDIRECT_URI = os.environ["REDIRECT_URI"]
DISCOVERY = f"{ISSUER}/.well-known/oauth-authorization-server"
ME = f"{ISSUER}/api/users/me"


def say(word: str, what: str) -> None:
    print(word, what, flush=True)


def visit(link: str) -> str:
    """Sends the person's browser to a link; returns where at the client it comes back to."""
    say("visit", link)
    return sys.stdin.readline().strip()
