"""Signs a person in with requests-oauthlib. It has no call for discovery or revocation: oauthlib's client prepares the latter."""

import requests
from oauthlib.oauth2 import OAuth2Error
from requests.auth import HTTPBasicAuth
from requests_oauthlib import OAuth2Session

from conversation import CLIENT_ID, CLIENT_SECRET, DISCOVERY, ME, REDIRECT_URI, say, visit

server = requests.get(DISCOVERY, timeout=30).json()
session = OAuth2Session(CLIENT_ID, redirect_uri=REDIRECT_URI, scope="profile", pkce="S256")
link, _ = session.authorization_url(server["authorization_endpoint"])
# Its default for a client without a secret is HTTP Basic with an empty one.
token = session.fetch_token(
    server["token_endpoint"], authorization_response=visit(link), client_secret=CLIENT_SECRET
)
say("signedIn", session.get(ME).json()["email"])

# A refresh authenticates as it is given to.
authentication = (
    {"auth": HTTPBasicAuth(CLIENT_ID, CLIENT_SECRET)} if CLIENT_SECRET else {"client_id": CLIENT_ID}
)
token = session.refresh_token(server["token_endpoint"], refresh_token=token["refresh_token"], **authentication)
say("refreshed", session.get(ME).json()["email"])

url, headers, body = session._client.prepare_token_revocation_request(
    server["revocation_endpoint"],
    token["refresh_token"],
    token_type_hint="refresh_token",
    **({} if CLIENT_SECRET else {"client_id": CLIENT_ID}),
)
requests.post(url, data=body, headers=headers, auth=authentication.get("auth"), timeout=30).raise_for_status()
try:
    session.refresh_token(server["token_endpoint"], refresh_token=token["refresh_token"], **authentication)
    say("refusal", "nothing")
except OAuth2Error as error:
    say("refusal", error.error)
