import { settingVariables } from './settings.ts'

const options = [
  ['--port N', 'the port of the API, 3000 by default; 0 takes a free one, as every other port is'],
  ['--data DIR', 'keeps accounts, purchases and the gateway’s state in this folder; in memory by default'],
  ['--help', 'prints this'],
] as const

const ownVariables = [['PORT', 'as --port']] as const

/** The usage of `npm start` in one line. */
export const usageLine = 'npm start -- [--port N] [--data DIR] [--help]'

/** What `npm start -- --help` prints. */
export function usage(): string {
  return [
    `Usage: ${usageLine}`,
    '',
    'Runs the whole service on this machine until Ctrl+C: the API, its tables, keys and mailbox, and an emulator of Stripe.',
    'A change to a file of functions/ or lib/ is served from the next request on.',
    '',
    'Options:',
    ...rows(options),
    '',
    'Environment variables:',
    ...rows([...ownVariables, ...settingVariables]),
  ].join('\n')
}

function rows(entries: readonly (readonly [name: string, description: string])[]): string[] {
  const width = Math.max(...entries.map(([name]) => name.length))
  return entries.map(([name, description]) => `  ${name.padEnd(width)}  ${description}`)
}
