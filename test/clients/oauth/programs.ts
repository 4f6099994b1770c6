import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import * as z from 'zod'
import { fetched, run } from '../../../infra/openapi/clients/run.ts'
import type { OauthLibrary, SignedIn, SignIn } from './library.ts'

/** A library of another language, which its registry has and this machine may lack. */
export interface FetchedLibrary extends OauthLibrary {
  readonly version: string
  /**
   * Gets the library into a directory of its own.
   * @throws Unavailable where this machine has not the language, or no way to its registry
   */
  prepare(directory: string): Promise<void>
}

const pythonVersions = { authlib: '1.9.9', 'requests-oauthlib': '2.0.0', requests: '2.34.2', flask: '3.1.3' }
const goVersions = { 'golang.org/x/oauth2': 'v0.37.0', 'github.com/coreos/go-oidc/v3': 'v3.21.0' }
const fiveMinutes = 5 * 60_000

/** Both take http only where they are asked to. */
const insecure = { AUTHLIB_INSECURE_TRANSPORT: '1', OAUTHLIB_INSECURE_TRANSPORT: '1' }

function pythonLibrary(
  { name, file, beside = [] }: { name: string; file: string; beside?: readonly (keyof typeof pythonVersions)[] },
  library: 'authlib' | 'requests-oauthlib',
): FetchedLibrary {
  let python = ''
  return {
    name,
    version: pythonVersions[library],
    async prepare(directory) {
      const cwd = { cwd: directory }
      await run('python3', ['--version'], cwd)
      const packages = [library, 'requests', ...beside] as const
      await fetched(async () => {
        await run('python3', ['-m', 'venv', 'venv'], cwd)
        const wanted = packages.map((one) => `${one}==${pythonVersions[one]}`)
        await run(join(directory, 'venv/bin/pip'), ['install', '--quiet', ...wanted], cwd)
      })
      python = join(directory, 'venv/bin/python')
    },
    signIn: (context) => {
      return converse(context, python, ['-B', join(import.meta.dirname, 'python', file)], insecure)
    },
  }
}

/** @see {@link pythonLibrary} */
export const authlib = pythonLibrary({ name: 'authlib', file: 'with_authlib.py' }, 'authlib')
export const requestsOauthlib = pythonLibrary(
  { name: 'requests-oauthlib', file: 'with_requests_oauthlib.py' },
  'requests-oauthlib',
)
/** Its client for web applications, of OpenID providers. */
export const authlibOpenid = pythonLibrary(
  { name: 'authlib (OpenID Connect)', file: 'with_authlib_openid.py', beside: ['flask'] },
  'authlib',
)

function goLibrary(name: keyof typeof goVersions, folder: string): FetchedLibrary {
  let program = ''
  return {
    name,
    version: goVersions[name],
    async prepare(directory) {
      const options = { cwd: directory, env: { GOFLAGS: '-mod=mod' } }
      await run('go', ['version'], options)
      await mkdir(directory, { recursive: true })
      const sources = join(import.meta.dirname, 'go')
      await cp(join(sources, 'conversation.go'), join(directory, 'conversation.go'))
      await cp(join(sources, folder), directory, { recursive: true })
      const oauth2 = 'golang.org/x/oauth2'
      const modules = [...new Set([name, oauth2] as const)]
      await fetched(async () => {
        await run('go', ['mod', 'init', 'signin'], options)
        await run('go', ['get', ...modules.map((path) => `${path}@${goVersions[path]}`)], options)
      })
      await run('go', ['vet', '.'], options)
      program = join(directory, 'signin')
      await run('go', ['build', '-o', program, '.'], options)
    },
    signIn: (context) => converse(context, program, [], {}),
  }
}

/** @see {@link goLibrary} */
export const goOauth2 = { ...goLibrary('golang.org/x/oauth2', 'x-oauth2'), takesDevices: true }
export const goOidc = goLibrary('github.com/coreos/go-oidc/v3', 'go-oidc')

const signedIn = z.object({ signedIn: z.string(), refreshed: z.string(), refusal: z.string() })

/**
 * Runs a program that says `visit` with the link it wants a browser to open, reads the address that comes of it, and says what came of
 * all else.
 * @throws Error with what it printed, where it ends otherwise
 */
async function converse(
  { issuer, client, visit }: SignIn,
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<SignedIn> {
  const { clientId, clientSecret, redirectUri } = client
  const own = { ISSUER: issuer, CLIENT_ID: clientId, CLIENT_SECRET: clientSecret, REDIRECT_URI: redirectUri }
  const program = spawn(command, [...args], { env: { ...process.env, ...env, ...own }, timeout: fiveMinutes })
  const errors: string[] = []
  program.stderr.on('data', (chunk: Buffer) => errors.push(chunk.toString()))
  const ended = once(program, 'close')
  const said: Record<string, string> = {}
  for await (const line of createInterface(program.stdout)) {
    const [, word = '', what = ''] = /^(\w+) (.*)$/.exec(line) ?? []
    said[word] = what
    if (word === 'visit') program.stdin.write(`${(await visit(what)).href}\n`)
  }
  const [code] = await ended
  if (code !== 0) throw new Error(errors.join('').trim())
  return signedIn.parse(said)
}
