import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { buildPackage } from '../../../infra/client/build/buildPackage.ts'
import { localClient } from '../../../infra/local/localClient.ts'
import { type LocalStack, startStack } from '../../../infra/local/stack.ts'
import { run } from '../../../infra/openapi/clients/run.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const client = join(root, 'infra/client')

/** As strict as a careful user of the package, whose declarations are checked too. */
const compilerOptions = {
  ...{ target: 'es2022', lib: ['es2022', 'dom', 'dom.iterable'], module: 'nodenext', types: [] },
  ...{ strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, skipLibCheck: false },
}

let project: string
let stack: LocalStack

beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), 'client-user-'))
  const manifest = { name: 'user', private: true, type: 'module' }
  await writeFile(join(project, 'package.json'), JSON.stringify(manifest))
  const [packed, started] = await Promise.all([buildPackage(project), startStack({ quiet: true, schedules: false })])
  stack = started
  // Offline: the package brings all that it needs.
  const options = ['--offline', '--no-audit', '--no-fund', '--engine-strict']
  await run('npm', ['install', ...options, packed], { cwd: project })
})
afterAll(async () => {
  await stack?.close()
  await rm(project, { recursive: true, force: true })
})

describe('The packed client, in an empty project', () => {
  it('compiles with its types, as its README shows it, and buys', async () => {
    await cp(join(root, 'test/clients/console-backend-client/purchase.ts'), join(project, 'purchase.ts'))
    const readme = await readFile(join(project, 'node_modules/console-backend-client/README.md'), 'utf8')
    await writeFile(join(project, 'readme.ts'), /```ts\n(.*?)```/s.exec(readme)?.[1] ?? 'no example')
    await writeFile(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }))
    await run(join(client, 'node_modules/.bin/tsc'), [], { cwd: project })

    const local = localClient(stack.info)
    const { access_token } = await local.signIn('owner')
    const { base_url } = stack.info
    const organization_id = await local.newOrganization()
    await writeFile(join(project, 'buy.js'), program({ base_url, access_token, organization_id }))
    const printed = await run(process.execPath, ['buy.js'], { cwd: project })
    expect(JSON.parse(printed)).toEqual(['ota', 'remote_ssh'])
  })

  it('holds its code, types, README, and the licenses of what it took in, and needs no other package', async () => {
    const folder = join(project, 'node_modules/console-backend-client')
    const { dependencies } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))
    expect(dependencies).toBeUndefined()
    const notices = await readFile(join(folder, 'dist/THIRD_PARTY_NOTICES.txt'), 'utf8')
    for (const name of ['oauth4webapi', 'jose', 'p-retry', 'is-network-error']) expect(notices).toContain(`${name}\n\n`)
  })
})

/** Calls the compiled purchase, with Stripe's part of it done by the emulator. */
function program(settings: Readonly<Record<string, string>>): string {
  const { api_base, secret_key } = stack.info.stripe
  return `
    import { buy } from './purchase.js'
    async function setUpCard(secret) {
      const response = await fetch('${api_base}/v1/setup_intents/' + secret.split('_secret_')[0] + '/confirm', {
        method: 'POST',
        headers: { authorization: 'Bearer ${secret_key}' },
        body: new URLSearchParams({ payment_method: 'pm_card_visa' }),
      })
      return (await response.json()).payment_method
    }
    console.log(JSON.stringify(await buy({ ...${JSON.stringify(settings)}, setUpCard })))
  `
}
