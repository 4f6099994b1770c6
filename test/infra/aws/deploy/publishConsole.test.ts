import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { publishConsole } from '../../../../infra/aws/deploy/publishConsole.ts'

let dist: string

beforeEach(() => {
  dist = mkdtempSync(join(tmpdir(), 'console-'))
})
afterEach(() => rmSync(dist, { recursive: true }))

const config = JSON.stringify({ client_id: 'console' })
const outputs = [
  { OutputKey: 'ConsoleBucket', OutputValue: 'files-1' },
  { OutputKey: 'ConsoleConfig', OutputValue: config },
]

/** The commands that AWS's command line gets, given what it answers about the stack. */
function publish(answer: unknown): string[][] {
  const commands: string[][] = []
  publishConsole('prod-console-web', dist, (...args) => {
    commands.push(args)
    return args[0] === 'cloudformation' ? JSON.stringify(answer) : ''
  })
  return commands
}

describe('Publishing the console', () => {
  it('puts the stack’s configuration beside the files, uploads assets for ever, and only then what names them', () => {
    const [asked, ...uploads] = publish(outputs)
    expect(asked).toContain('prod-console-web')
    expect(uploads).toEqual([
      [
        's3',
        'sync',
        join(dist, 'assets'),
        's3://files-1/assets',
        '--cache-control',
        expect.stringContaining('immutable'),
      ],
      ['s3', 'sync', dist, 's3://files-1', '--exclude', 'assets/*', '--cache-control', 'no-cache'],
    ])
    expect(readFileSync(join(dist, 'config.json'), 'utf8')).toBe(config)
  })

  it('uploads nothing where the stack does not say what the configuration is', () => {
    expect(() => publish(outputs.slice(0, 1))).toThrow('prod-console-web has no output ConsoleConfig')
  })
})
