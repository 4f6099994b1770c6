import { parseArgs } from 'node:util'
import { createDocumentClient } from '../../lib/adapters/dynamodb/kit/documentClient.ts'
import { createOAuthClients } from '../../lib/adapters/dynamodb/oauthClientStore.ts'
import { createRefreshTokens } from '../../lib/adapters/dynamodb/refreshTokenStore.ts'
import { createClientGrants } from '../../lib/adapters/dynamodb/userSessionStore.ts'
import { ids } from '../../lib/adapters/random/ids.ts'
import {
  addUri,
  createClient,
  createServiceClient,
  type RegistrationDeps,
  removeUri,
  retireSecret,
  rewriteClients,
  rotateSecret,
} from '../../lib/oauth/client/clientRegistration.ts'
import { type DisableDeps, disableClient, enableClient } from '../../lib/oauth/client/disableClient.ts'
import type { RedirectPolicy } from '../../lib/oauth/client/redirectUri.ts'
import { DEVICE_CODE, type OAuthClient } from '../../lib/oauth/oauthClient.ts'
import { environment } from '../../lib/runtime/environment.ts'
import { redirectPolicyFromEnvironment } from '../../lib/runtime/settings.ts'
import { stageNamed } from '../data/stages.ts'
import { runProgram } from '../runProgram.ts'
import { connect, targetOptions } from './target.ts'

const usage = `npm run clients -- <command> [--port N | --base URL | --aws --stage NAME]

  list
  create NAME --redirect-uri URI [...] [--id ID] [--public] [--first-party] [--post-logout-redirect-uri URI ...] [--scope SCOPE ...]
                                     --public: an app or a page, without a secret
                                     --first-party: your own, whose users see no consent page
                                     --scope: the scopes that it may ask its users for; every scope by default
  create NAME --public --device [...]    a command line or an appliance, whose users type a code in a browser elsewhere; it needs no redirect URI
  create NAME --introspect [...]     a resource server, which may introspect the tokens of every client; it needs no redirect URI
  create NAME --service --scope SCOPE [...]  a server of yours that reads every organization, as far as its scopes go: entitlements:read, billing:read,
                                     members:read, audit_log:read, events:read. It gets its tokens by client_credentials
  rotate-secret ID                   add a secret; the previous one remains valid
  retire-secret ID                   remove every secret but the newest
  disable ID                         ends its grants: its access and refresh tokens are refused for good. If it fails, repeat it
  enable ID                          its users sign in again
  add-redirect-uri ID URI            also remove-redirect-uri
  add-post-logout-redirect-uri ID URI    also remove-...
  refresh-origins                    let pages of clients registered before CORS was theirs call the API

Against a running local stack; with --aws --stage NAME against that stage, as its operator role (infra/README.md, Commands). Addresses of your
own machine can be registered on the local stack, and on stages that have developmentRedirects.`

const { values: options, positionals } = parseArgs({
  args: process.argv.slice(2),
  allowPositionals: true,
  options: {
    id: { type: 'string' },
    'redirect-uri': { type: 'string', multiple: true, default: [] },
    'post-logout-redirect-uri': { type: 'string', multiple: true, default: [] },
    scope: { type: 'string', multiple: true },
    public: { type: 'boolean', default: false },
    'first-party': { type: 'boolean', default: false },
    introspect: { type: 'boolean', default: false },
    device: { type: 'boolean', default: false },
    service: { type: 'boolean', default: false },
    ...targetOptions,
    help: { type: 'boolean', default: false },
  },
})

type Command = (deps: RegistrationDeps & DisableDeps, first: string, uri: string) => Promise<void>

const commands: Readonly<Record<string, { takes: number; run: Command }>> = {
  list: { takes: 0, run: async ({ clients }) => printAll(await clients.list()) },
  create: { takes: 1, run: create },
  'rotate-secret': {
    takes: 1,
    async run(deps, id) {
      const { client, secret } = await rotateSecret(deps, id)
      print(client, secret)
      console.log(`Both secrets are valid until: npm run clients -- retire-secret ${id}`)
    },
  },
  'retire-secret': { takes: 1, run: async (deps, id) => print(await retireSecret(deps, id)) },
  'refresh-origins': {
    takes: 0,
    run: async (deps) => console.log(`${await rewriteClients(deps)} clients: their pages may call the API`),
  },
  disable: { takes: 1, run: async (deps, id) => printEnded(await disableClient(deps, id)) },
  enable: { takes: 1, run: async (deps, id) => printEnded(await enableClient(deps, id)) },
  'add-redirect-uri': { takes: 2, run: async (deps, id, uri) => print(await addUri(deps, id, 'redirectUris', uri)) },
  'remove-redirect-uri': {
    takes: 2,
    run: async (deps, id, uri) => print(await removeUri(deps, id, 'redirectUris', uri)),
  },
  'add-post-logout-redirect-uri': {
    takes: 2,
    run: async (deps, id, uri) => print(await addUri(deps, id, 'postLogoutRedirectUris', uri)),
  },
  'remove-post-logout-redirect-uri': {
    takes: 2,
    run: async (deps, id, uri) => print(await removeUri(deps, id, 'postLogoutRedirectUris', uri)),
  },
}

async function create(deps: RegistrationDeps, name: string): Promise<void> {
  if (options.service) return createService(deps, name)
  const { client, secret } = await createClient(deps, {
    clientId: options.id,
    name,
    type: options.public ? 'public' : 'confidential',
    scopes: options.scope,
    redirectUris: options['redirect-uri'],
    postLogoutRedirectUris: options['post-logout-redirect-uri'],
    firstParty: options['first-party'],
    introspectsAnyToken: options.introspect,
    device: options.device,
  })
  print(client, secret)
  if (client.redirectUris.length > 0) console.log(pkceNote)
}

/** @throws Error for an option that a client without users does not have */
async function createService(deps: RegistrationDeps, name: string): Promise<void> {
  const { id, public: isPublic, introspect, device, 'first-party': firstParty, scope: scopes = [] } = options
  const uris = [...options['redirect-uri'], ...options['post-logout-redirect-uri']]
  if (id !== undefined || isPublic || introspect || device || firstParty || uris.length > 0)
    throw new Error('--service goes with --scope alone: a service client has a random id, a secret and no users')
  const { client, secret } = await createServiceClient(deps, { name, scopes })
  print(client, secret)
}

/** Printed with a new client: without PKCE its first sign-in is `invalid_request`. */
const pkceNote = `
PKCE (code_challenge_method=S256) is asked of every client, also of one with a secret. openid-client, oauth4webapi and Auth.js 5 send
it by themselves or in their first example. These libraries need a setting for it:
  Auth.js 4 (next-auth)   checks: ['pkce', 'state'] in the provider
  Authlib                 client_kwargs={'code_challenge_method': 'S256'}
  golang.org/x/oauth2     S256ChallengeOption(verifier) in AuthCodeURL, VerifierOption(verifier) in Exchange
  passport-oauth2         pkce: true, state: true
  Spring Security         OAuth2AuthorizationRequestCustomizers.withPkce()`

/** Prints a new secret for the only time: the store has only its digest. */
function print(client: OAuthClient, secret?: string): void {
  const { clientId, type, name, disabled, secretDigests, scopes, redirectUris, postLogoutRedirectUris } = client
  const lines = {
    client_id: clientId,
    ...(secret !== undefined && { client_secret: `${secret}   (shown only once)` }),
    name,
    type: [
      type,
      client.firstParty && 'first party',
      client.introspectsAnyToken && 'introspects every token',
      client.grantTypes.includes(DEVICE_CODE) && 'devices',
      client.securityRev !== undefined && 'service',
    ]
      .filter(Boolean)
      .join(', '),
    state: disabled ? 'disabled' : 'enabled',
    ...(type === 'confidential' && { 'valid secrets': secretDigests.length }),
    ...(scopes !== undefined && { scopes: scopes.join(' ') }),
    ...(redirectUris.length > 0 && { redirect_uris: redirectUris.join(' ') }),
    ...(postLogoutRedirectUris.length > 0 && { post_logout_redirect_uris: postLogoutRedirectUris.join(' ') }),
  }
  for (const [label, value] of Object.entries(lines)) console.log(`${label.padEnd(26)}${value}`)
}

function printEnded({ client, ended }: Awaited<ReturnType<typeof disableClient>>): void {
  print(client)
  console.log(`${'ended grants'.padEnd(26)}${ended}`)
}

function printAll(clients: readonly OAuthClient[]): void {
  for (const client of clients) {
    print(client)
    console.log()
  }
  console.log(clients.length === 1 ? '1 client' : `${clients.length} clients`)
}

/** The stack's own policy, or the stage's. */
function policy(): RedirectPolicy {
  if (options.stage === undefined) return redirectPolicyFromEnvironment()
  return stageNamed(options.stage).developmentRedirects ? 'development' : 'exact'
}

/** `npm run clients`: registers and changes OAuth clients. Exits with 1 if a command is refused. */
async function main(): Promise<void> {
  if (options.help) return console.log(usage)
  const [name = '', ...rest] = positionals
  const command = commands[name]
  if (command === undefined || rest.length !== command.takes) throw new Error(usage)
  await connect(options, { quiet: true })
  // Imported once the environment names the stack's clock.
  const { syncedClock } = await import('../../lib/runtime/operators.ts')
  const { AWS_REGION, ACCOUNTS_TABLE } = environment
  const documents = createDocumentClient({ region: AWS_REGION })
  const [first = '', uri = ''] = rest
  try {
    await command.run(
      {
        clients: createOAuthClients(documents, ACCOUNTS_TABLE),
        clientGrants: createClientGrants(documents, ACCOUNTS_TABLE),
        refreshTokens: createRefreshTokens(documents, ACCOUNTS_TABLE),
        ids,
        clock: await syncedClock(),
        redirectPolicy: policy(),
      },
      first,
      uri,
    )
  } finally {
    documents.destroy()
  }
}

runProgram(main)
