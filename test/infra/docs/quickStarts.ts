import { execFile, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { LocalClient } from '../../../infra/local/localClient.ts'
import { apiClient } from '../../../infra/local/samples/sampleApiClient.ts'
import { shopperOf } from '../console/sellProducts.ts'

export const root = join(import.meta.dirname, '..', '..', '..')
const run = promisify(execFile)

/** The guide's program in this language, as it is written in a section. */
export function programIn(language: 'sh' | 'ts' | 'js' | 'go' | 'python', heading = 'Quick start'): string {
  const guide = readFileSync(join(root, 'functions', 'README.md'), 'utf8')
  const section = guide.split(`## ${heading}\n`)[1]?.split('\n## ')[0] ?? ''
  const [, program] = new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``).exec(section) ?? []
  if (program === undefined) throw new Error(`${heading} has no program in ${language}`)
  return program
}

/** Whether a program is installed. Says so if it is not. */
export function isInstalled(program: string, version: string): boolean {
  const isThere = spawnSync(program, [version]).status === 0
  if (!isThere) process.stderr.write(`The guide was not played with ${program}: it is not installed\n`)
  return isThere
}

/** How each language runs a file in a folder. */
const runners = {
  sh: (file: string) => ['bash', '-euo', 'pipefail', file],
  ts: (file: string) => [process.execPath, file],
  go: (file: string) => ['go', 'run', file],
  python: (file: string) => ['python3', file],
} as const

/**
 * Runs the guide's program as an API client of an organization that has bought two products. Returns what it prints.
 * @throws Error if the program fails, or its language is not installed
 */
export async function runQuickStart(language: keyof typeof runners, local: LocalClient): Promise<string> {
  const { organizationId, buy } = await shopperOf(local)
  await buy('pm_card_visa', 'base_ota', 'addon_monitoring').catch(() => {})
  const { client_id, client_secret } = await apiClient(local, organizationId, ['entitlements:read'])
  const folder = await mkdtemp(join(tmpdir(), 'quick-start-'))
  try {
    const file = join(folder, `program.${language}`)
    await writeFile(file, programIn(language))
    await installClient(folder)
    const [command = '', ...args] = runners[language](file)
    const settings = { BASE: local.info.base_url, ORGANIZATION_ID: organizationId, CLIENT_ID: client_id }
    const env = { ...process.env, NODE_OPTIONS: '', ...settings, CLIENT_SECRET: client_secret }
    return (await run(command, args, { cwd: folder, env, timeout: 300_000 })).stdout.trim()
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** The typed client from its sources, under the name of its package. Node strips no types below `node_modules`, so they are a link. */
async function installClient(folder: string): Promise<void> {
  const home = join(folder, 'client')
  await mkdir(home)
  await mkdir(join(folder, 'node_modules'))
  await writeFile(join(home, 'package.json'), JSON.stringify({ type: 'module', exports: './src/index.ts' }))
  await writeFile(join(folder, 'package.json'), JSON.stringify({ type: 'module' }))
  await symlink(join(root, 'infra', 'client', 'src'), join(home, 'src'))
  await symlink(home, join(folder, 'node_modules', 'console-backend-client'))
}
