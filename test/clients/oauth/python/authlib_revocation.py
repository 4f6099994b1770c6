"""Revokes a refresh token with a client of Authlib."""

from authlib.integrations.base_client.errors import OAuthError

from conversation import say


def revoke(client, server, refresh_token: str) -> None:
    """Says how the use of the revoked token is refused."""
    revoked = client.revoke_token(
        server["revocation_endpoint"], token=refresh_token, token_type_hint="refresh_token"
    )
    revoked.raise_for_status()
    try:
        client.refresh_token(server["token_endpoint"], refresh_token=refresh_token)
        say("refusal", "nothing")
    except OAuthError as error:
        say("refusal", error.error)
