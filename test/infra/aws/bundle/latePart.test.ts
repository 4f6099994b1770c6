import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import * as z from 'zod'
import { latePart } from '../../../../infra/aws/bundle/latePart.ts'

const part = `
  globalThis.process.env.LATE_PART = 'loaded'
  export class SmallClient {
    #sent = []
    constructor(config) { this.config = config }
    static from(client) { return new SmallClient({ ...client.config, from: true }) }
    send(command) { this.#sent.push(command.input); return this.#sent }
  }
  export class Command { constructor(input) { this.input = input } }
  export class Refusal extends Error {}
  export const double = (number) => 2 * number
  export const refuse = () => { throw new Refusal('no') }`

const classOf = z.custom<new (input?: unknown) => Record<string, unknown>>((value) => typeof value === 'function')
const callable = z.custom<(...args: readonly unknown[]) => unknown>((value) => typeof value === 'function')

let folder: string
let named: (name: string) => object

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'part-'))
  await writeFile(join(folder, 'part.mjs'), part)
  named = latePart('./part.mjs', pathToFileURL(join(folder, 'handler.mjs')).href)
  delete process.env.LATE_PART
})

afterEach(() => rm(folder, { recursive: true }))

const isLoaded = () => process.env.LATE_PART === 'loaded'

describe('A part of a bundle', () => {
  it('is not loaded where a client is made, made of another or awaited, or something is asked whether it is an error of it', async () => {
    const Client = classOf.parse(named('SmallClient'))
    const client = await Promise.resolve(new Client({ region: 'here' }))
    const from = callable.parse(
      Reflect.get(z.object({ from: callable }).parse({ from: Reflect.get(Client, 'from') }), 'from'),
    )
    expect(typeof from(client)).toBe('object')
    expect(new Error('other')).not.toBeInstanceOf(classOf.parse(named('Refusal')))
    expect(isLoaded()).toBe(false)
  })

  it('is loaded where a command is made', () => {
    const Command = classOf.parse(named('Command'))
    expect(new Command({ id: 1 }).input).toEqual({ id: 1 })
    expect(isLoaded()).toBe(true)
  })

  it('is loaded where a client is used, which then is one client with its own state', () => {
    const client = new (classOf.parse(named('SmallClient')))({ region: 'here' })
    const send = (input: unknown) => callable.parse(client.send)({ input })
    send(1)
    expect([send(2), client.config, isLoaded()]).toEqual([[1, 2], { region: 'here' }, true])
    const from = callable.parse(Reflect.get(named('SmallClient'), 'from'))
    expect(z.custom<object>().parse(from(client))).toHaveProperty('config', { region: 'here', from: true })
  })

  it('has a client that is one of its class, as paginators ask', () => {
    const Client = classOf.parse(named('SmallClient'))
    const client = new Client({ region: 'here' })
    expect(callable.parse(client.send)({ input: 1 })).toEqual([1])
    expect(client).toBeInstanceOf(Client)
  })

  it('calls its functions, and knows its errors from others', () => {
    const Refusal = classOf.parse(named('Refusal'))
    expect(callable.parse(named('double'))(21)).toBe(42)
    expect(callable.parse(named('refuse'))).toThrow(Refusal)
    expect(new Error('other')).not.toBeInstanceOf(Refusal)
  })

  it('says where it lacks what is asked of it', () => {
    expect(() => callable.parse(named('other'))()).toThrow('not in this part of the bundle')
  })
})
