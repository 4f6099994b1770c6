"""Signs a person in with Authlib's OpenID Connect client for Flask, which finds and verifies all by itself: state, nonce, keys, id_token."""

from urllib.parse import urlsplit

from authlib.integrations.flask_client import OAuth
from flask import Flask, session

from authlib_revocation import revoke
from conversation import CLIENT_ID, CLIENT_SECRET, ISSUER, REDIRECT_URI, say, visit

app = Flask(__name__)
app.secret_key = "of this run"
provider = OAuth(app).register(
    "provider",
    client_id=CLIENT_ID,
    client_secret=CLIENT_SECRET,
    server_metadata_url=f"{ISSUER}/.well-known/openid-configuration",
    client_kwargs={
        "scope": "openid profile email offline_access",
        "code_challenge_method": "S256",
        "token_endpoint_auth_method": "client_secret_basic" if CLIENT_SECRET else "none",
        "revocation_endpoint_auth_method": "client_secret_basic" if CLIENT_SECRET else "none",
    },
)


@app.get("/login")
def login():
    return provider.authorize_redirect(REDIRECT_URI)


@app.get("/<path:callback>")
def come_back(callback):
    token = provider.authorize_access_token()
    session["sub"] = token["userinfo"]["sub"]
    return {"token": token, "user": provider.userinfo(token=token)}


browser = app.test_client()
callback = urlsplit(visit(browser.get("/login").headers["location"]))
answer = browser.get(f"{callback.path}?{callback.query}").get_json()
token, user = answer["token"], answer["user"]
if token["userinfo"]["sub"] != user["sub"]:
    raise SystemExit("UserInfo is of another user than the id_token")
say("signedIn", user["email"])

with app.test_request_context(), provider._get_oauth_client(**provider.load_server_metadata()) as client:
    server = client.metadata
    token = client.refresh_token(server["token_endpoint"], refresh_token=token["refresh_token"])
    refreshed = provider.parse_id_token(token, nonce=None)
    if refreshed["sub"] != user["sub"]:
        raise SystemExit("the refreshed id_token is of another user")
    say("refreshed", provider.userinfo(token=token)["email"])
    revoke(client, server, token["refresh_token"])
