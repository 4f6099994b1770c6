import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from '@jest/globals'
import * as z from 'zod'
import { stackNames } from '../../../infra/aws/stacks/stackNames.ts'
import { stages } from '../../../infra/data/stages.ts'
import { manifest } from '../../../infra/manifest.ts'
import { MAX_BRANDING_BYTES } from '../../../lib/core/branding.ts'
import { logMessages } from '../../../lib/log/logMessages.ts'
import { hostedCommands } from '../../support/hostedCommands.ts'

const root = new URL('../../../', import.meta.url)
const read = (path: string) => readFileSync(new URL(path, root), 'utf8')
const pages = ['infra/README.md', ...readdirSync(new URL('infra/runbook', root)).map((file) => `infra/runbook/${file}`)]
const texts = pages.map((page) => read(page).replaceAll(/\\\n\s*/g, ''))
const found = (pattern: RegExp) => [
  ...new Set(texts.flatMap((text) => [...text.matchAll(pattern)].map(([, it = '']) => it))),
]

const { scripts } = z.object({ scripts: z.record(z.string(), z.string()) }).parse(JSON.parse(read('package.json')))

/** The commands of the pages without `npm run`, up to the end of the line, the code or a pipe. */
const commands = found(/npm run (?:-s |--silent )?([a-z][^`|&\n]*)/g).map((command) => command.trim())

/** Values for what the pages put into angle brackets. */
const values: Readonly<Record<string, string>> = {
  organization: '4ea16e72-9150-4f9b-b087-5d6cb1cfde05',
  user: '0a6f2a3e-5d1c-4b57-9c43-1f2e7d8b9a01',
  id: '0a6f2a3e-5d1c-4b57-9c43-1f2e7d8b9a01',
  address: 'ada@example.com',
  product: 'ota',
  file: import.meta.filename,
}

/** Its arguments, for a stage that does not exist. */
function argumentsOf(command: string): string[] {
  const filled = command.replaceAll(/<([^>]+)>/g, (_whole, name: string) => values[name] ?? name)
  const words = filled.split(' -- ')[1]?.split(/\s+/) ?? []
  const at = words.indexOf('prod')
  if (at < 0) return [...words, '--aws', '--stage', 'nowhere']
  return words.toSpliced(at, 1, 'nowhere')
}

const run = hostedCommands()
const operators = commands.filter((command) => /^(?:operate|reconcile|clients) -- ./.test(command))

describe('The commands of the runbook', () => {
  it('are scripts of package.json', () => {
    const named = commands.map((command) => command.split(' ')[0] ?? '')
    expect(named.filter((name) => scripts[name] === undefined)).toEqual([])
  })

  it.each(operators)('npm run %s takes these arguments', async (command) => {
    const [script = ''] = command.split(' ')
    const { code, output } = await run({ script: `operate/${script}.ts`, args: argumentsOf(command) })
    expect({ code, output }).toEqual({ code: 1, output: expect.stringContaining('No stage "nowhere"') })
  })

  it.each(['operate', 'reconcile', 'clients'])('npm run %s -- --help prints how to call it', async (script) => {
    const { code, output } = await run({ script: `operate/${script}.ts`, args: ['--help'] })
    expect({ code, output }).toEqual({
      code: 0,
      output: expect.stringMatching(`^npm run ${script} .*\n[^]*--stage NAME`),
    })
  })

  it('have options that their scripts read', () => {
    const ours = /^node (?!-)/
    const others = commands.filter(
      (command) =>
        command.includes(' -- ') &&
        !operators.includes(command) &&
        ours.test(scripts[command.split(' ')[0] ?? ''] ?? ''),
    )
    const unknown = others.flatMap((command) => {
      const file = /^node (\S+)/.exec(scripts[command.split(' ')[0] ?? ''] ?? '')?.[1] ?? ''
      const folder = new URL(`${file.slice(0, file.lastIndexOf('/'))}/`, root)
      const sources = readdirSync(folder).flatMap((name) =>
        name.endsWith('.ts') ? [readFileSync(new URL(name, folder), 'utf8')] : [],
      )
      const options = [...command.matchAll(/--([a-z][a-z-]+)/g)].map(([, option = '']) => option)
      const isRead = (option: string) => sources.some((source) => new RegExp(`\\b${option}\\b`).test(source))
      return options.flatMap((option) => (isRead(option) ? [] : [`${command}: --${option}`]))
    })
    expect(others.length).toBeGreaterThan(5)
    expect(unknown).toEqual([])
  })

  it('run functions of the manifest', () => {
    const names = found(/(?:--function-name |\/aws\/lambda\/)prod-([a-z-]+)/g)
    const known = new Set<string>([...manifest.map(({ name }) => name), 'release-check'])
    expect(names.length).toBeGreaterThan(2)
    expect(names.filter((name) => !known.has(name))).toEqual([])
  })
})

describe('The pages of the runbook', () => {
  it('name messages that the service logs', () => {
    const notLogged = ['To do', 'Too many attempts']
    const named = found(/`([A-Z][a-z]+(?: [a-z0-9’]+)+)`/g)
    expect(named.length).toBeGreaterThan(15)
    expect(named.filter((message) => !Object.hasOwn(logMessages, message))).toEqual(notLogged)
  })

  it('list the stacks of a stage in the order of their deployment', () => {
    const listed = [...read('infra/README.md').matchAll(/^\| `<stage>-([^`]+)` \|/gm)].flatMap(([, name = '']) => {
      const [before = '', choices] = name.split(/[{}]/)
      return choices === undefined ? [name] : choices.split(',').map((choice) => before + choice)
    })
    const { prod } = stages
    if (prod === undefined) throw new Error('There is no stage prod')
    const console = { clientId: 'console', stripePublishableKey: 'pk_live_1' }
    const names = Object.values(stackNames({ ...prod, console })).map((name) => name.replace('prod-', ''))
    expect(listed).toEqual(names)
  })

  it('say how many bytes a branding may have', () => {
    const [bytes] = /[\d,]+(?= bytes)/.exec(read('infra/runbook/branding.md')) ?? []
    expect(bytes).toBe(MAX_BRANDING_BYTES.toLocaleString('en'))
  })
})
