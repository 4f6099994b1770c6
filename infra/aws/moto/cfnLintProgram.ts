import { spawnSync } from 'node:child_process'
import { pythonTools } from './pythonTools.ts'

/** Prints the folder of cfn-lint, and installs it first if it is not on the PATH. Exits 1 if that fails. */
const isThere = spawnSync('cfn-lint', ['--version']).status === 0
try {
  if (!isThere) process.stdout.write(`${pythonTools()}\n`)
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
  process.exit(1)
}
