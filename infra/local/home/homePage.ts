import { type Html, html } from '../../../lib/core/html.ts'
import { catalogCoupons } from '../../data/catalog.ts'
import { DNS_PATH } from '../dns/dnsControls.ts'
import { EVENTS_PATH, EVENTS_SCRIPT, EVENTS_STYLE, eventList } from '../events/eventControls.ts'
import type { ReceivedEvent, Receiver } from '../events/receiver.ts'
import type { WireAnswer } from '../http/apiGatewayAnswer.ts'
import type { LocalInfo } from '../info.ts'
import { copyButton, fileControls, localAnswer, localPage } from '../pages/localPage.ts'
import { STRIPE_ITSELF } from '../settings.ts'
import { signInAddress } from './signInControls.ts'

const users = [
  { name: 'owner', title: 'Owner', may: 'of “Demo organization” and of a second one: buys, cancels, invites' },
  { name: 'billing_admin', title: 'Billing admin', may: 'of “Demo organization”: buys and cancels, invites no one' },
  { name: 'member', title: 'Member', may: 'of “Demo organization”: sees what is active, buys nothing' },
  { name: 'stranger', title: 'Stranger', may: 'owns another organization, and sees nothing of the first' },
] as const

const cards = [
  { number: '4242 4242 4242 4242', effect: 'pays' },
  { number: '4000 0027 6000 3184', effect: 'asks for 3-D Secure' },
  { number: '4000 0000 0000 0341', effect: 'is set up, then declined' },
] as const

/** The first page of the local stack: what runs here, how to sign in, and all addresses. */
export function homePage(info: LocalInfo, events: readonly ReceivedEvent[]): string {
  return localPage({
    title: 'Start',
    path: '/',
    styles: ['/_local/home/home.css', EVENTS_STYLE],
    scripts: [EVENTS_SCRIPT],
    body: html`<div class="hero">
<div><h1>The console backend is running</h1>
<p>Accounts, organizations and billing with everything that they need: tables, keys, a mailbox and a Stripe that charges no real card, until you stop <code>npm start</code>.</p></div>
<a class="button" href="/_local/console">Open the console</a>
</div>
<div class="panels">
<section class="panel whole"><h2>Sign in as</h2>
<p class="hint">A click signs in, and ends the session that the browser had.</p>
<ul class="users">${users.map((user) => userItem(user, info.demo[user.name]))}</ul></section>
<section class="panel"><h2>Look around</h2>
<ul class="places">${places(info).map(({ href, label, what }) => html`<li><a href="${href}">${label}</a><span>${what}</span></li>\n`)}</ul></section>
<section class="panel"><h2>Pay with</h2>
<dl class="priced">${cards.map(({ number, effect }) => html`<dt>${effect}</dt><dd><code>${number}</code>${copyButton(number.replaceAll(' ', ''), `the number of the card that ${effect}`)}</dd>`)}${coupons()}</dl>
<p class="hint">Coupons work in the cart. With a card: any date to come and any security code.</p></section>
<section class="panel whole"><div class="titled"><h2>Last events</h2><a href="${EVENTS_PATH}">All events</a></div>
<p class="hint">Changes are announced to other systems, signed. This receiver hears every organization.</p>
${eventList(events)}</section>
<section class="panel"><h2>Commands</h2>
<dl class="stacked">${commands(info).map(({ command, effect }) => html`<dt>${effect}</dt><dd><code>${command}</code>${copyButton(command, command)}</dd>`)}</dl></section>
<section class="panel"><h2>Addresses</h2>
<dl>${Object.entries(addresses(info)).map(([name, address]) => html`<dt>${name}</dt><dd><code>${address}</code>${copyButton(address, `the address of ${name}`)}</dd>`)}</dl>
<p class="hint">With keys, secrets and ids as JSON: <a href="/_local/info">/_local/info</a></p></section>
<section class="panel whole"><div class="titled"><h2>Without a console: sign in and read what is active</h2>${copyButton(firstCall(info), 'the commands')}</div>
<pre tabindex="0" aria-label="Commands for a shell"><code>${firstCall(info)}</code></pre></section>
</div>`,
  })
}

function userItem({ name, title, may }: (typeof users)[number], { email, password }: LocalInfo['demo']['owner']): Html {
  return html`<li><h3>${title}</h3>
<p>${may}</p>
<dl><dt>Email address</dt><dd><code>${email}</code>${copyButton(email, `the email address of ${title}`)}</dd>
<dt>Password</dt><dd><code>${password}</code>${copyButton(password, `the password of ${title}`)}</dd></dl>
<a href="${signInAddress(name)}">Sign in as ${title}</a></li>
`
}

function places({ stripe }: LocalInfo): readonly { href: string; label: string; what: string }[] {
  const gateway =
    stripe.api_base === STRIPE_ITSELF
      ? { href: 'https://dashboard.stripe.com/test', label: 'Stripe’s dashboard', what: 'your test account' }
      : {
          href: `${stripe.api_base}/_emulator/`,
          label: 'Stripe emulator',
          what: 'customers, invoices and webhooks; move its clock, order faults',
        }
  return [
    { href: '/_local/mail', label: 'Mailbox', what: 'every mail that the service sends ends here' },
    { href: EVENTS_PATH, label: 'Events', what: 'what changed, as other systems hear it' },
    { href: DNS_PATH, label: 'DNS', what: 'TXT records, to verify a domain' },
    {
      href: '/api/account/security',
      label: 'Sign-in and security',
      what: 'passkeys, authenticator app and recovery codes of a user',
    },
    {
      href: '/_local/docs',
      label: 'API documentation',
      what: 'every operation, to be tried as one of the users above',
    },
    gateway,
    { href: '/.well-known/openid-configuration', label: 'Discovery document', what: 'for OAuth client libraries' },
    { href: '/api/openapi.json', label: 'OpenAPI document', what: 'for generators and tools' },
  ]
}

function coupons(): Html[] {
  return catalogCoupons
    .filter(({ expired }) => !expired)
    .map(
      ({ promotionCode, name }) =>
        html`<dt>${name}</dt><dd><code>${promotionCode}</code>${copyButton(promotionCode, `the coupon ${promotionCode}`)}</dd>`,
    )
}

/** Names the port unless it is 3000, the default of the commands. */
function commands({ base_url }: LocalInfo): readonly { command: string; effect: string }[] {
  const { port } = new URL(base_url)
  const named = port === '3000' ? [] : ['--port', port]
  const run = (script: string, ...args: string[]) =>
    [`npm run ${script}`, ...(args.length > 0 ? ['--'] : []), ...args].join(' ')
  return [
    { command: run('demo', ...named), effect: 'plays a customer’s story over the API and prints every answer' },
    { command: run('invoke', 'billing-checkout', ...named), effect: 'runs one function with a sample event' },
    { command: run('invoke'), effect: 'lists the functions' },
    { command: 'npm start -- --help', effect: 'lists options and variables of this stack' },
  ]
}

function addresses(info: LocalInfo): Readonly<Record<string, string>> {
  return {
    API: info.base_url,
    Webhook: info.webhook_url,
    Stripe: info.stripe.api_base,
    DynamoDB: info.dynamodb_endpoint,
    KMS: info.kms_endpoint,
    SES: info.mail.endpoint,
  }
}

/** Commands that sign in as the demo's owner and read the organization's entitlements. They need sh, curl and node. */
function firstCall({ base_url, demo }: LocalInfo): string {
  const member = (name: string) => `node -pe 'JSON.parse(fs.readFileSync(0)).${name}'`
  const exchange = JSON.stringify({
    client_id: demo.client_id,
    client_secret: demo.client_secret,
    grant_type: 'authorization_code',
  }).slice(0, -1)
  return [
    `CODE=$(curl -s ${base_url}/_local/authorization-codes -d '{"user_id":"${demo.owner.id}"}' | ${member('code')})`,
    `TOKEN=$(curl -s ${base_url}/api/oauth/token -H 'content-type: application/json' \\`,
    `  -d '${exchange},"code":"'$CODE'"}' | ${member('access_token')})`,
    `curl -s "${base_url}/api/billing/entitlements?organization_id=${demo.organization_id}" -H "authorization: Bearer $TOKEN"`,
  ].join('\n')
}

/** `GET /`: the first page of the local stack. */
export function homeControls({
  info,
  receiver,
}: {
  readonly info: LocalInfo
  readonly receiver: Receiver
}): Readonly<Record<string, () => Promise<WireAnswer>>> {
  return {
    'GET /': async () => localAnswer(homePage(info, receiver.list()), 'text/html; charset=utf-8'),
    ...fileControls('/_local/home/', import.meta.url, ['home.css']),
  }
}
