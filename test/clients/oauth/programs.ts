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

const pythonVersions = { authlib: '1.9.9', 'requests-oauthlib': '2.0.0', requests: '2.34.2' }
const goModule = { path: 'golang.org/x/oauth2', version: 'v0.37.0' }
const fiveMinutes = 5 * 60_000

/** Both take http only where they are asked to. */
const insecure = { AUTHLIB_INSECURE_TRANSPORT: '1', OAUTHLIB_INSECURE_TRANSPORT: '1' }

function pythonLibrary(name: 'authlib' | 'requests-oauthlib'): FetchedLibrary {
  let python = ''
  return {
    name,
    version: pythonVersions[name],
    async prepare(directory) {
      const cwd = { cwd: directory }
      await run('python3', ['--version'], cwd)
      const packages = [name, 'requests'] as const
      await fetched(async () => {
        await run('python3', ['-m', 'venv', 'venv'], cwd)
        const wanted = packages.map((one) => `${one}==${pythonVersions[one]}`)
        await run(join(directory, 'venv/bin/pip'), ['install', '--quiet', ...wanted], cwd)
      })
      python = join(directory, 'venv/bin/python')
    },
    signIn: (context) => {
      const file = join(import.meta.dirname, 'python', `with_${name.replace('-', '_')}.py`)
      return converse(context, python, ['-B', file], insecure)
    },
  }
}

/** @see {@link pythonLibrary} */
export const authlib = pythonLibrary('authlib')
export const requestsOauthlib = pythonLibrary('requests-oauthlib')

let goProgram = ''

export const goOauth2: FetchedLibrary = {
  name: goModule.path,
  version: goModule.version,
  async prepare(directory) {
    const options = { cwd: directory, env: { GOFLAGS: '-mod=mod' } }
    await run('go', ['version'], options)
    await mkdir(directory, { recursive: true })
    await cp(join(import.meta.dirname, 'x-oauth2'), directory, { recursive: true })
    await fetched(async () => {
      await run('go', ['mod', 'init', 'signin'], options)
      await run('go', ['get', `${goModule.path}@${goModule.version}`], options)
    })
    await run('go', ['vet', '.'], options)
    goProgram = join(directory, 'signin')
    await run('go', ['build', '-o', goProgram, '.'], options)
  },
  signIn: (context) => converse(context, goProgram, [], {}),
}

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
