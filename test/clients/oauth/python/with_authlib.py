"""Signs a person in with Authlib's OAuth2Session."""

import requests
from authlib.integrations.requests_client import OAuth2Session
from authlib.common.security import generate_token

from authlib_revocation import revoke
from conversation import CLIENT_ID, CLIENT_SECRET, DISCOVERY, ME, REDIRECT_URI, say, visit

server = requests.get(DISCOVERY, timeout=30).json()
session = OAuth2Session(
    CLIENT_ID,
    CLIENT_SECRET,
    redirect_uri=REDIRECT_URI,
    scope="profile",
    code_challenge_method="S256",
    token_endpoint_auth_method="client_secret_basic" if CLIENT_SECRET else "none",
    revocation_endpoint_auth_method="client_secret_basic" if CLIENT_SECRET else "none",
)
verifier = generate_token(48)
link, state = session.create_authorization_url(server["authorization_endpoint"], code_verifier=verifier)
callback = visit(link)
token = session.fetch_token(
    server["token_endpoint"], authorization_response=callback, state=state, code_verifier=verifier
)
say("signedIn", session.get(ME).json()["email"])

token = session.refresh_token(server["token_endpoint"], refresh_token=token["refresh_token"])
say("refreshed", session.get(ME).json()["email"])

revoke(session, server, token["refresh_token"])
