// JavaScript, so that a Node that cannot load TypeScript says in one sentence what it lacks.
import { readFileSync } from 'node:fs'

const { devEngines } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
const needed = devEngines.runtime.version.replace('>=', '')
const { execPath } = process
const { node } = process.versions
const isInstalled = /[\\/]node_modules[\\/]/.test(execPath)
const what = `Node ${node} ${isInstalled ? 'of node_modules' : `at ${execPath}`}`

if (node.localeCompare(needed, 'en', { numeric: true }) < 0) {
  console.error(`npm start needs Node ${needed} or later (see .nvmrc); this is ${what}.`)
  process.exitCode = 1
} else {
  console.log(`Runs on ${what}.`)
  await import('./start.ts')
}
