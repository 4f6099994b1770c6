import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

const packages = ['moto[server]==5.2.5', 'cfn-lint==1.58.0'] as const

/** The folder of Python's tools, outside the tree: a virtual environment for each set of versions. */
const folder = join(
  process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'),
  'console-backend',
  packages.join('_').replace(/[^\w.-]/g, '-'),
)

/**
 * The folder of the programs `python`, `moto_server` and `cfn-lint`. When first called, installs them from PyPI.
 * @throws Error with the command that failed, if Python or the registry is missing
 */
export function pythonTools(): string {
  const programs = join(folder, 'bin')
  if (existsSync(join(programs, 'moto_server')) && existsSync(join(programs, 'cfn-lint'))) return programs
  mkdirSync(folder, { recursive: true })
  run('python3', ['-m', 'venv', folder])
  run(join(programs, 'pip'), ['install', '--quiet', '--disable-pip-version-check', ...packages])
  return programs
}

function run(program: string, args: readonly string[]): void {
  const { status, error } = spawnSync(program, args, { stdio: ['ignore', 'inherit', 'inherit'] })
  if (error || status !== 0) throw new Error(`${program} ${args.join(' ')}: ${error?.message ?? status}`)
}
