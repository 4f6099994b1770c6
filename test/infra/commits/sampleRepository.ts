import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'

const commits = join(import.meta.dirname, '../../../infra/commits')
const env = {
  PATH: [dirname(process.execPath), process.env.PATH].join(delimiter),
  HOME: tmpdir(),
  GIT_CONFIG_NOSYSTEM: '1',
  NO_COLOR: '1',
}

/** What a process printed, to both streams, and its exit code. */
interface Ended {
  readonly code: number | null
  readonly output: string
}

/** A small repository: `lib/generated.txt` is `lib/source.txt` in capitals, and a source with the word `broken` has a type error. */
export interface SampleRepository {
  write(file: string, text: string): void
  /** Stages these files and commits them. */
  commit(subject: string, ...files: string[]): Ended
  git(...args: string[]): Ended
  /** Runs `npm run check:commits` with these arguments. */
  check(...args: string[]): Ended
  /** The same as `npm run hooks`. */
  useHooks(): void
  close(): void
}

const files = {
  '.gitignore': 'node_modules/\n',
  'package.json': JSON.stringify({
    type: 'module',
    scripts: {
      types: 'node types.js',
      openapi: 'node generate.js',
      client: 'node nothing.js',
      docs: 'node nothing.js',
    },
  }),
  'generate.js': `
    import { readFileSync, writeFileSync } from 'node:fs'
    writeFileSync('lib/generated.txt', readFileSync('lib/source.txt', 'utf8').toUpperCase())`,
  // Fails as well if a package is missing, or if the package of the workspace is not the commit's own.
  'types.js': `
    import { readFileSync } from 'node:fs'
    import { installed } from 'installed'
    import { own } from 'own'
    const source = readFileSync('lib/source.txt', 'utf8')
    if (source.includes('broken') || !installed || own !== source) throw new TypeError('not assignable: ' + own)`,
  'nothing.js': '',
  'own/package.json': JSON.stringify({ type: 'module', exports: './index.js' }),
  'node_modules/installed/package.json': JSON.stringify({ type: 'module', exports: './index.js' }),
  'node_modules/installed/index.js': 'export const installed = true',
}

export function openSampleRepository(): SampleRepository {
  const root = mkdtempSync(join(tmpdir(), 'repository-'))
  const run = (command: string, ...args: string[]): Ended => {
    const { status, stdout, stderr } = spawnSync(command, args, { cwd: root, env, encoding: 'utf8' })
    return { code: status, output: stdout + stderr }
  }
  const git = (...args: string[]) => run('git', '-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args)
  const write = (file: string, text: string) => {
    mkdirSync(dirname(join(root, file)), { recursive: true })
    writeFileSync(join(root, file), text)
  }
  for (const [file, text] of Object.entries(files)) write(file, text)
  symlinkSync('../own', join(root, 'node_modules/own'))
  git('init', '--quiet', '--initial-branch=main')
  return {
    write,
    git,
    commit(subject, ...names) {
      git('add', ...names)
      return git('commit', '--message', subject)
    },
    check: (...args) => run(process.execPath, join(commits, 'checkCommits.ts'), ...args),
    useHooks: () => void git('config', 'core.hooksPath', join(commits, 'hooks')),
    close: () => rmSync(root, { recursive: true }),
  }
}
