"""Verifies events with the library of Standard Webhooks: a line of JSON for each, answered by a line."""

import json
import os
import sys

from standardwebhooks import Webhook, WebhookVerificationError

webhook = Webhook(os.environ["WEBHOOK_SECRET"])
for line in sys.stdin:
    event = json.loads(line)
    try:
        verified = webhook.verify(event["body"], event["headers"])
        print(verified["type"], flush=True)
    except WebhookVerificationError as error:
        print(f"refused: {error}", flush=True)
