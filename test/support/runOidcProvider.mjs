import { once } from 'node:events'
import { createServer } from 'node:http'
import Provider from 'oidc-provider'

// `node runOidcProvider.mjs '{"clientId","clientSecret","redirectUri","now"}'`: panva's oidc-provider with one client, on the clock of a test
// that stands still. It prints its issuer. Its login page takes any name, which is then the subject; an address of `unverified-...` is not verified.
const { clientId, clientSecret, redirectUri, now } = JSON.parse(process.argv[2] ?? '{}')
Date.now = () => now

const server = createServer()
server.listen(0, '127.0.0.1')
await once(server, 'listening')
const issuer = `http://127.0.0.1:${server.address().port}`
const provider = new Provider(issuer, {
  clients: [
    { client_id: clientId, client_secret: clientSecret, redirect_uris: [redirectUri], response_types: ['code'] },
  ],
  claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
  findAccount: (_, accountId) => ({
    accountId,
    claims: () => ({
      sub: accountId,
      email: `${accountId}@example.com`,
      email_verified: !accountId.startsWith('unverified-'),
      name: 'Ada Lovelace',
    }),
  }),
})
server.on('request', provider.callback())
process.stdout.write(`${issuer}\n`)
