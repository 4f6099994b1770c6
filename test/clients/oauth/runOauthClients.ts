import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import * as z from 'zod'
import { demoClient, demoDeviceClient, demoPublicClient } from '../../../infra/data/demo.ts'
import { findStack, localClient } from '../../../infra/local/localClient.ts'
import { startStack } from '../../../infra/local/stack.ts'
import { Unavailable } from '../../../infra/openapi/clients/run.ts'
import { printColumns } from '../../support/source/printColumns.ts'
import type { OauthLibrary } from './library.ts'
import { oauth4webapi } from './oauth4webapi.ts'
import { openidClient } from './openidClient.ts'
import { authlib, authlibOpenid, type FetchedLibrary, goOauth2, goOidc, requestsOauthlib } from './programs.ts'
import { signInOnce } from './signInOnce.ts'
import { simpleOauth2, simpleOauth2WithJson } from './simpleOauth2.ts'

// `npm run clients:oauth [-- NAME ...] [--port N | --base URL]`: OAuth libraries of three languages find a running stack by discovery, or one that
// is started for them, sign a person in at the hosted pages, refresh and revoke, as a confidential client, as a public one and, if the library can, as a device. A library
// that cannot be had here is said; exit 1 is for one that fails.
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { port: { type: 'string' }, base: { type: 'string' } },
})
const libraries: readonly (OauthLibrary & Partial<FetchedLibrary>)[] = [
  openidClient,
  oauth4webapi,
  simpleOauth2,
  simpleOauth2WithJson,
  authlib,
  authlibOpenid,
  requestsOauthlib,
  goOauth2,
  goOidc,
]
const chosen = libraries.filter(
  ({ name }) => positionals.length === 0 || positionals.some((part) => name.includes(part)),
)

const clients = [
  { kind: 'confidential', ...demoClient },
  { kind: 'public', clientSecret: '', ...demoPublicClient },
  { kind: 'device', clientSecret: '', redirectUri: '', ...demoDeviceClient },
] as const

const root = await mkdtemp(join(tmpdir(), 'clients-oauth-'))
const baseUrl = values.base ?? `http://localhost:${values.port ?? (process.env.PORT || '3000')}`
const running = await findStack(baseUrl)
const own = running ? undefined : await startStack({ quiet: true, schedules: false })
const info = running ?? own?.info
try {
  if (info === undefined) throw new Error('no stack to sign in at')
  process.stdout.write(`Signing in at ${info.base_url}${running ? '' : ', started for this'}\n\n`)
  const client = localClient(info)
  const rows: string[][] = []
  for (const library of chosen) {
    const outcomes: string[] = []
    try {
      const directory = join(root, library.name.replaceAll(/[^\w.-]/g, '-'))
      await mkdir(directory)
      await library.prepare?.(directory)
      for (const registered of clients) {
        const isTaken = registered.kind !== 'device' || library.takesDevices === true
        outcomes.push(isTaken ? await outcomeOf(() => signInOnce(library, client, registered)) : '')
      }
    } catch (error) {
      outcomes.push(inWords(error))
    }
    rows.push([`${library.name} ${library.version ?? (await lockedVersion(library.name))}`, ...outcomes])
  }
  printColumns([['library', ...clients.map(({ kind }) => kind)], ...rows])
} finally {
  await own?.close()
  await rm(root, { recursive: true, force: true })
}

async function outcomeOf(work: () => Promise<unknown>): Promise<string> {
  try {
    await work()
    return 'signed in, refreshed, revoked'
  } catch (error) {
    return inWords(error)
  }
}

function inWords(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  if (error instanceof Unavailable) return `not checked: ${message}`
  process.exitCode = 1
  return `FAILED: ${message.split('\n').at(-1)}`
}

/** The version of a package of this repository. */
async function lockedVersion(name: string): Promise<string> {
  const manifest = await readFile(new URL(import.meta.resolve(`${name}/package.json`)), 'utf8')
  return z.object({ version: z.string() }).parse(JSON.parse(manifest)).version
}
