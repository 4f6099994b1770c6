import { once } from 'node:events'
import { createServer } from 'node:http'
import Provider from 'oidc-provider'

// `node runOidcProvider.mjs '{"clientId","clientSecret","redirectUri","logoutUri","now"}'`: panva's oidc-provider with one client. It prints its
// issuer. `logoutUri` is the client's for back-channel logout; without `now`, the clock of a test that stands still, it is on the machine's clock.
// Its login page takes any name, which is then the subject, and the address if it is one; an address of `unverified-...` is not verified.
const { clientId, clientSecret, redirectUri, logoutUri, now } = JSON.parse(process.argv[2] ?? '{}')
if (now !== undefined) Date.now = () => now

const server = createServer()
server.listen(0, '127.0.0.1')
await once(server, 'listening')
const issuer = `http://127.0.0.1:${server.address().port}`
const provider = new Provider(issuer, {
  clients: [
    {
      client_id: clientId,
      client_secret: clientSecret,
      redirect_uris: [redirectUri],
      response_types: ['code'],
      ...(logoutUri !== undefined && { backchannel_logout_uri: logoutUri }),
    },
  ],
  features: { backchannelLogout: { enabled: true } },
  // Without its guard: the stack is at a loopback address.
  fetch: (url, { dispatcher: _, ...options }) => fetch(url, options),
  claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
  findAccount: (_, accountId) => ({
    accountId,
    claims: () => ({
      sub: accountId,
      email: accountId.includes('@') ? accountId : `${accountId}@example.com`,
      email_verified: !accountId.startsWith('unverified-'),
      name: 'Ada Lovelace',
    }),
  }),
})
server.on('request', provider.callback())
process.stdout.write(`${issuer}\n`)
