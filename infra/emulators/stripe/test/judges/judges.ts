import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type StripeEmulator, startStripeEmulator } from '../../index.ts'
import { fillAccount } from './fillAccount.ts'
import { playToStripeMock } from './playToStripeMock.ts'

/** What a judge says: which version of it judged, and its figures. */
export interface Verdict {
  readonly version: string
  readonly result: string
}

/** A program of others that uses the emulator. */
export interface Judge {
  readonly name: string
  /** The programs that have to be there. */
  readonly needs: readonly string[]
  /** Why this machine cannot have it though the programs are there. */
  readonly missing?: () => string | undefined
  /** Judges, with an empty folder of its own. Rejects if the judge finds anything. */
  readonly run: (folder: string) => Promise<Verdict>
}

type Command = readonly [program: string, ...args: string[]]

const source = (file: string) => fileURLToPath(new URL(file, import.meta.url))
const copy = 'org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy-dependencies'
const stripeMock = 'github.com/stripe/stripe-mock'
const { STRIPE_CLI: stripeCli = 'https://github.com/stripe/stripe-cli' } = process.env

function install(folder: string, commands: readonly Command[], env: Readonly<Record<string, string>> = {}): void {
  for (const [program, ...args] of commands)
    execFileSync(program, args, { cwd: folder, stdio: 'pipe', env: { ...process.env, ...env } })
}

/** Installs a Python package from the registry, and a Python that has it as `bin/python`. */
function installPython(folder: string, name: string): void {
  install(folder, [
    ['python3', '-m', 'venv', '.'],
    ['bin/pip', 'install', '--quiet', name],
  ])
}

/** Runs a program to its end. Returns what it printed; rejects with the same if it fails. */
async function said([program, ...args]: Command, folder: string, env: Readonly<Record<string, string>> = {}) {
  const child = spawn(program, args, {
    cwd: folder,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let text = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (part: string) => {
      text += part
    })
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(text.trim())
  return text.trim()
}

/** The newest release of a Go module: its version, and the folder of its sources. */
function goModule(path: string): { version: string; directory: string } {
  const text = execFileSync('go', ['mod', 'download', '-json', `${path}@latest`], { cwd: tmpdir(), encoding: 'utf8' })
  const { Version, Dir } = JSON.parse(text)
  return { version: String(Version).replace(/^v/, ''), directory: String(Dir) }
}

/** Runs test files of this package. Returns what Jest printed; rejects with the same if one fails. */
function tested(path: string, env: Readonly<Record<string, string>> = {}): Promise<string> {
  const repository = source('../../../../../')
  const jest = join(repository, 'node_modules/jest/bin/jest.js')
  return said([process.execPath, '--experimental-vm-modules', jest, '--ci', path], repository, env)
}

/** Lets a program use an emulator: with its own version of the API, or with `--api-version any` if that is of another release. */
async function judged(
  command: Command,
  folder: string,
  fill: (emulator: StripeEmulator) => Promise<void> = async () => {},
  env: Readonly<Record<string, string>> = {},
): Promise<Verdict> {
  const attempt = async (apiVersions: readonly string[]) => {
    const emulator = await startStripeEmulator({ apiVersions, warn: () => {} })
    try {
      await fill(emulator)
      return await said(command, folder, { ...env, STRIPE_BASE: emulator.url, STRIPE_KEY: emulator.key })
    } finally {
      await emulator.close()
    }
  }
  let note = ''
  const text = await attempt([]).catch((error: unknown) => {
    if (!String(error).includes('--api-version')) throw error
    note = ' with `--api-version any`: its version is of another release'
    return attempt(['any'])
  })
  const [first = '', ...figures] = text.split('\n')
  const [version, api] = first.split(' ')
  return { version: `${version}, API \`${api}\``, result: [`passes${note}`, ...figures].join('; ') }
}

/** Runs with a Postgres of its own, which does not run as root. */
async function withPostgres<T>(use: (address: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'judge-postgres-'))
  const number = (flag: string) => Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }))
  const user = process.getuid?.() === 0 ? { uid: number('-u'), gid: number('-g') } : {}
  if (user.uid !== undefined && user.gid !== undefined) chownSync(folder, user.uid, user.gid)
  const data = join(folder, 'data')
  const port = 54_329
  const options = { cwd: folder, ...user }
  // The engine's migrations name the user `postgres`.
  const superuser = ['-U', 'postgres', '-A', 'trust', '--no-sync']
  execFileSync('initdb', ['-D', data, ...superuser], { ...options, stdio: 'pipe' })
  const server = spawn('postgres', ['-D', data, '-k', folder, '-h', '127.0.0.1', '-p', `${port}`, '-F'], {
    ...options,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  try {
    server.stderr.setEncoding('utf8')
    for (let text = ''; !text.includes('ready to accept connections'); )
      text += (await once(server.stderr, 'data')).join('')
    return await use(`postgres://postgres@127.0.0.1:${port}/postgres`)
  } finally {
    server.kill('SIGINT')
    await once(server, 'close')
    rmSync(folder, { recursive: true })
  }
}

/** The versions are the newest that the registries have; of stripe-go and stripe-java, the newest when the table was written. */
export const judges: readonly Judge[] = [
  {
    name: "Stripe's OpenAPI file",
    needs: ['go'],
    async run() {
      const file = join(goModule(stripeMock).directory, 'embedded/openapi/spec3.json')
      const { info } = JSON.parse(readFileSync(file, 'utf8'))
      const text = await tested('infra/emulators/stripe/test', { STRIPE_SPEC: file })
      const result = /(\d+ answers of \d+ operations).*\n.*\n +(\d+ mismatches)/.exec(text)?.slice(1).join(', ') ?? ''
      return { version: `API \`${info.version}\``, result }
    },
  },
  {
    name: 'stripe-mock',
    needs: ['go'],
    async run(folder) {
      install(folder, [['go', 'install', `${stripeMock}@latest`]], { GOBIN: folder })
      const program = join(folder, 'stripe-mock')
      const built = execFileSync('go', ['version', '-m', program], { encoding: 'utf8' })
      const version = built.split(`mod\t${stripeMock}\tv`)[1]?.split('\t')[0] ?? ''
      return { version, result: await playToStripeMock(program) }
    },
  },
  { name: 'stripe-node', needs: [], run: (folder) => judged([process.execPath, source('life.ts')], folder) },
  {
    name: 'stripe-python',
    needs: ['python3'],
    run(folder) {
      installPython(folder, 'stripe')
      return judged(['bin/python', source('life.py')], folder)
    },
  },
  {
    name: 'stripe-go',
    needs: ['go'],
    run(folder) {
      cpSync(source('life.go'), join(folder, 'main.go'))
      install(folder, [
        ['go', 'mod', 'init', 'life'],
        ['go', 'get', 'github.com/stripe/stripe-go/v85@latest'],
        ['go', 'build', '-o', 'life', '.'],
      ])
      return judged(['./life'], folder)
    },
  },
  {
    name: 'stripe-java',
    needs: ['java', 'mvn'],
    run(folder) {
      cpSync(source('pom.xml'), join(folder, 'pom.xml'))
      install(folder, [['mvn', '--quiet', '--batch-mode', copy, '-DoutputDirectory=lib']])
      return judged(['java', '-cp', 'lib/*', source('Life.java')], folder)
    },
  },
  {
    name: '@stripe/react-stripe-js',
    needs: ['chromium-headless-shell'],
    async run() {
      const { devDependencies } = JSON.parse(readFileSync(source('../../package.json'), 'utf8'))
      const text = await tested('infra/emulators/stripe/test/stripe-js/reactStripeJs.deep.test.ts')
      const [, passed, total] = /Tests: +(\d+) passed, (\d+) total/.exec(text) ?? []
      if (passed === undefined) throw new Error(text)
      const result = `${passed} of ${total} flows in Chromium, under StrictMode`
      return { version: devDependencies['@stripe/react-stripe-js'], result }
    },
  },
  {
    name: 'stripe trigger',
    needs: ['git'],
    missing() {
      const asked = spawnSync('git', ['ls-remote', '--quiet', stripeCli, 'HEAD'], { timeout: 60_000 })
      return asked.status === 0 ? undefined : `${stripeCli} cannot be read`
    },
    async run(folder) {
      install(folder, [
        ['git', 'clone', '--quiet', '--no-checkout', stripeCli, 'cli'],
        ['git', '-C', 'cli', 'checkout', '--quiet', 'HEAD', '--', 'pkg/fixtures/triggers'],
      ])
      const version = await said(['git', '-C', 'cli', 'describe', '--tags', '--always'], folder)
      const text = await said([process.execPath, source('runTriggers.ts'), 'cli/pkg/fixtures/triggers'], folder)
      return { version, result: text.split('\n').at(-1)?.replace(' of the Stripe CLI', '') ?? '' }
    },
  },
  {
    name: 'dj-stripe',
    needs: ['python3'],
    run(folder) {
      installPython(folder, 'dj-stripe')
      return judged(['bin/python', source('copyAccount.py')], folder, fillAccount)
    },
  },
  {
    name: '@supabase/stripe-sync-engine',
    needs: ['npm', 'initdb', 'postgres'],
    run(folder) {
      cpSync(source('copyAccount.mjs'), join(folder, 'copyAccount.mjs'))
      const { dependencies } = JSON.parse(readFileSync(source('../../package.json'), 'utf8'))
      const packages = ['@supabase/stripe-sync-engine', `stripe@${dependencies.stripe}`]
      install(folder, [['npm', 'install', '--silent', '--ignore-scripts', '--prefix', '.', ...packages]])
      const program = [process.execPath, 'copyAccount.mjs'] as const
      return withPostgres((DATABASE_URL) => judged(program, folder, fillAccount, { DATABASE_URL }))
    },
  },
]
