"""dj-stripe copies a filled account: all of its models, then every event."""

import contextlib
import io
import os
import re
import sys
import tempfile

import django
from django.conf import settings
from django.core.management import call_command

settings.configure(
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": os.path.join(tempfile.mkdtemp(), "db")}},
    INSTALLED_APPS=["django.contrib.auth", "django.contrib.contenttypes", "djstripe"],
    DEFAULT_AUTO_FIELD="django.db.models.AutoField",
    SECRET_KEY="judge",
    USE_TZ=True,
    # Tables as the models have them: dj-stripe's own migrations take minutes.
    MIGRATION_MODULES={"djstripe": None},
    STRIPE_API_HOST=os.environ["STRIPE_BASE"],
    STRIPE_TEST_SECRET_KEY=os.environ["STRIPE_KEY"],
    STRIPE_LIVE_MODE=False,
    DJSTRIPE_FOREIGN_KEY_TO_FIELD="id",
)
django.setup()

from importlib.metadata import version  # noqa: E402

from djstripe.settings import djstripe_settings  # noqa: E402

call_command("migrate", run_syncdb=True, verbosity=0)
said, wrong, printed = io.StringIO(), io.StringIO(), io.StringIO()
call_command("djstripe_sync_models", stdout=said, stderr=wrong)
# It prints, whatever `stdout` is.
with contextlib.redirect_stdout(printed):
    call_command("djstripe_process_events", verbosity=3)
models = re.findall(r"^Syncing (\w+) for", said.getvalue(), re.M)
synced = re.findall(r"^  Synced (\d+) (\w+)", said.getvalue(), re.M)
processed, total = map(int, re.search(r"Processed (\d+) out of (\d+) Events", printed.getvalue()).groups())
# Each model with its error; the last line only counts them.
errors = [line for line in wrong.getvalue().splitlines() if re.match(r"Failed syncing|  Error", line)]
# What no emulator mends.
reasons = {
    "AccountV2": "`AccountV2` is of `/v2`, which is not covered",
    "ActiveEntitlement": "for `ActiveEntitlement` it names no customer, and Stripe wants one",
    "TaxId": "for `TaxId` it sends the parameter `id`, which Stripe does not know",
}
named = {line: line.split(":")[0].split(" for ")[0].split()[-1] for line in errors}
refused = {model for model in named.values() if model in reasons}
others = [line for line, model in named.items() if model not in refused]
print(version("dj-stripe"), djstripe_settings.STRIPE_API_VERSION)
print(f"{len(models) - len(refused)} of {len(models)} models, {len(synced)} with objects")
for model, reason in reasons.items():
    if model in refused:
        print(reason)
print(f"{processed} of {total} events")
if others or processed != total:
    sys.exit("\n".join(others) or printed.getvalue())
