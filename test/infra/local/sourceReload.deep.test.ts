import { cp, mkdtemp, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type LocalClient, localClient } from '../../../infra/local/localClient.ts'
import { createEmulator } from '../../support/emulator.ts'
import { type ChildStack, spawnScript } from './support/childStack.ts'

const root = join(import.meta.dirname, '..', '..', '..')
const NO_SUCH_PATH = '/no/such/path'

let copy: string
let child: ChildStack
let client: LocalClient

/** A stack in a copy of the sources, which the tests may break. */
beforeAll(async () => {
  copy = await mkdtemp(join(tmpdir(), 'reload-'))
  for (const name of ['functions', 'lib', 'infra', 'events', 'package.json', 'tsconfig.json'])
    await cp(join(root, name), join(copy, name), {
      recursive: true,
      filter: (file) => !file.includes(join('infra', 'client', 'node_modules')),
    })
  await symlink(join(root, 'node_modules'), join(copy, 'node_modules'))
  child = spawnScript('local/start.ts', ['--port', '0'], {}, 'none', copy)
  client = localClient(await child.ready())
})
afterAll(async () => {
  await child?.stop()
  if (copy !== undefined) await rm(copy, { recursive: true })
})

type Save = (path: string, text: string) => Promise<void>

/** As `sed -i` and careful editors do: another file takes the name. */
const saveByRename: Save = async (path, text) => {
  await writeFile(`${path}.new`, text)
  await rename(`${path}.new`, path)
}

/** As `git checkout` does. */
const saveByRemoval: Save = async (path, text) => {
  await rm(path)
  await writeFile(path, text)
}

/** Changes a file of the copy, asks until the answer is as expected, and returns the milliseconds that it took. */
async function edit(
  file: string,
  change: (text: string) => string,
  ask: () => Promise<unknown>,
  expected: unknown,
  save: Save = writeFile,
) {
  const path = join(copy, file)
  await save(path, change(await readFile(path, 'utf8')))
  const started = performance.now()
  while (performance.now() - started < 10_000) {
    if (JSON.stringify(await ask()) === JSON.stringify(expected)) return performance.now() - started
  }
  return expect(await ask()).toEqual(expected)
}

const unknownPath = async () => {
  const { status, body } = await client.send({ method: 'GET', path: NO_SUCH_PATH })
  return [status, status === 404 ? Reflect.get(Object(body), 'detail') : undefined]
}

describe('A local stack whose sources are edited', () => {
  it('runs a changed file of lib from the next request on, within two seconds, and keeps users and tokens', async () => {
    const { access_token: token } = await client.signIn('owner')
    const rename = { method: 'PATCH', path: '/api/users/me', token, body: { username: 'renamed-owner' } } as const
    expect(await client.send(rename)).toMatchObject({ status: 200 })
    expect(await unknownPath()).toEqual([404, 'Not Found'])
    const change = (text: string) => text.replace("'Not Found'", "'Nothing is here'")
    const took = await edit('lib/http/answer/errorAnswers.ts', change, unknownPath, [404, 'Nothing is here'])
    expect(took).toBeLessThan(2000)
    process.stderr.write(`An edited file of lib was served after ${Math.round(took ?? 0)} ms\n`)
    const me = { method: 'GET', path: '/api/users/me', token } as const
    expect(await client.send(me)).toMatchObject({ status: 200, body: { username: 'renamed-owner' } })
    expect(child.output()).toContain('lib/http/answer/errorAnswers.ts changed: this request runs it')
  })

  it.each([
    ['by rename', saveByRename],
    ['by removal', saveByRemoval],
  ])('runs each of two changes that an editor saves %s, and heals after a broken file', async (_how, save) => {
    const file = 'lib/http/answer/errorAnswers.ts'
    const say = (text: string) => (source: string) => source.replace(/(\bnot_found: .*?)'[^']+'/s, `$1'${text}'`)
    for (const text of ['Once', 'Twice']) {
      expect(await edit(file, say(text), unknownPath, [404, text], save)).toBeLessThan(2000)
    }
    const broken = (source: string) => `${source}\nconst = 1\n`
    await edit(file, broken, async () => (await unknownPath())[0], 500, save)
    const mended = (source: string) => say('Nothing is here')(source.replace('const = 1\n', ''))
    expect(await edit(file, mended, unknownPath, [404, 'Nothing is here'], save)).toBeLessThan(2000)
  })

  it('answers 500 while an imported file is missing, and heals when it is back', async () => {
    const path = join(copy, 'lib/http/answer/errorAnswers.ts')
    await rename(path, `${path}.away`)
    expect((await unknownPath())[0]).toBe(500)
    await rename(`${path}.away`, path)
    expect(await unknownPath()).toEqual([404, 'Nothing is here'])
  })

  it('answers 500 while a file has a syntax error, prints it with the file, and heals at the next edit', async () => {
    const file = 'functions/unmatched-route/handler.ts'
    const broken = (text: string) => `${text}\nconst = 1\n`
    await edit(file, broken, async () => (await unknownPath())[0], 500)
    expect(child.output()).toMatch(/GET \/no\/such\/path failed: .*functions\/unmatched-route\/handler\.ts/s)
    const detail = 'The terminal in which npm start runs has the error with its stack trace'
    const { body } = await client.send({ method: 'GET', path: NO_SUCH_PATH })
    expect(body).toEqual({ message: 'Internal Server Error', detail })
    const me = { method: 'GET', path: '/api/openapi.json' } as const
    expect((await client.send(me)).status).toBe(200)
    const took = await edit(file, (text) => text.replace('const = 1\n', ''), unknownPath, [404, 'Nothing is here'])
    expect(took).toBeLessThan(2000)
  })

  it.each(['first', 'second'])('runs a changed scheduled function (%s change)', async (which) => {
    const shout = (text: string) => `${text}\nconsole.log('the ${which} sweep')\n`
    await edit('functions/billing-sweep/handler.ts', shout, async () => true, true)
    await createEmulator(client.info.stripe.api_base).advance(120)
    await expectSoon(() => child.output().includes(`the ${which} sweep`))
  })
})

async function expectSoon(holds: () => boolean): Promise<void> {
  for (let round = 0; round < 100 && !holds(); round += 1) await new Promise((resolve) => setTimeout(resolve, 100))
  expect(holds()).toBe(true)
}
