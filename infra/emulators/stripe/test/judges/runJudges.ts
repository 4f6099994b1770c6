import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startStripeEmulator } from '../../index.ts'

/** An SDK that runs a subscription's life. */
interface Judge {
  readonly name: string
  /** Gets the newest version that the registry has, in an empty folder. */
  readonly install: readonly (readonly [string, ...string[]])[]
  readonly run: readonly [string, ...string[]]
}

const source = (file: string) => fileURLToPath(new URL(file, import.meta.url))
const copy = 'org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy-dependencies'

// Of stripe-go and stripe-java, this is the newest release that a registry had when the table was written.
const judges: readonly Judge[] = [
  {
    name: 'stripe-python',
    install: [
      ['python3', '-m', 'venv', '.'],
      ['bin/pip', 'install', '--quiet', 'stripe'],
    ],
    run: ['bin/python', source('life.py')],
  },
  {
    name: 'stripe-go',
    install: [
      ['go', 'mod', 'init', 'life'],
      ['go', 'get', 'github.com/stripe/stripe-go/v85@latest'],
      ['go', 'build', '-o', 'life', '.'],
    ],
    run: ['./life'],
  },
  {
    name: 'stripe-java',
    install: [['mvn', '--quiet', '--batch-mode', copy, '-DoutputDirectory=lib']],
    run: ['java', '-cp', 'lib/*', source('Life.java')],
  },
]

/** How a judge ended: the version that it printed, or the line that says why it failed. */
interface Verdict {
  passed: boolean
  said: string
}

async function judge(
  { run: [program, ...args] }: Judge,
  folder: string,
  apiVersions: readonly string[],
): Promise<Verdict> {
  const { url, key, close } = await startStripeEmulator({ clock: '2026-01-01T00:00:00Z', apiVersions, warn: () => {} })
  try {
    const env = { ...process.env, STRIPE_BASE: url, STRIPE_KEY: key }
    const child = spawn(program, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] })
    let said = ''
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        said += text
      })
    const [code] = await once(child, 'close')
    return { passed: code === 0, said: said.trim() }
  } finally {
    await close()
  }
}

/** The row of a judge in the table: with its own version of the API, or with `--api-version any` if that is of another release. */
async function rowOf(one: Judge): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'judge-'))
  try {
    cpSync(source('life.go'), join(folder, 'main.go'))
    cpSync(source('pom.xml'), join(folder, 'pom.xml'))
    for (const [program, ...args] of one.install) execFileSync(program, args, { cwd: folder, stdio: 'pipe' })
    const plain = await judge(one, folder, [])
    const accepted = plain.passed ? plain : await judge(one, folder, ['any'])
    if (!accepted.passed) throw new Error(`${one.name}: ${accepted.said}`)
    const result = plain.passed ? 'passes' : 'passes with `--api-version any`: its version is of another release'
    const [version = '', api = ''] = accepted.said.split(' ')
    return `| \`${one.name}\` | ${version} | \`${api}\` | ${result} |`
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** `npm run judges -w stripe-emulator -- [name...]`: lets SDKs run a subscription's life, and writes the table of the README. */
async function runJudges(): Promise<void> {
  const named = process.argv.slice(2)
  const wanted = judges.filter(({ name }) => named.length === 0 || named.includes(name))
  const readme = source('../../README.md')
  const text = readFileSync(readme, 'utf8')
  const [before = '', rest = ''] = text.split('<!-- figures:judges -->\n')
  const [table = '', after = ''] = rest.split('<!-- /figures:judges -->')
  const rows = new Map(table.split('\n').map((row) => [/^\| `(stripe-\w+)`/.exec(row)?.[1], row]))
  for (const one of wanted) rows.set(one.name, await rowOf(one))
  const shown = judges.flatMap(({ name }) => rows.get(name) ?? [])
  const head = `Newest run: ${new Date().toISOString().slice(0, 10)}.\n\n| SDK | version | version of the API | result |\n| --- | --- | --- | --- |`
  const written = `<!-- figures:judges -->\n\n${head}\n${shown.join('\n')}\n\n<!-- /figures:judges -->`
  writeFileSync(readme, `${before}${written}${after}`)
  console.log(shown.join('\n'))
}

runJudges().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
})
