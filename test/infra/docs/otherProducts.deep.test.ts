import { spawnSync } from 'node:child_process'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import * as z from 'zod'
import { localClient } from '../../../infra/local/localClient.ts'
import { spawnScript } from '../local/support/childStack.ts'
import { copyProject } from './copyProject.ts'

/** Three products in place of the seed's four. */
const others = {
  berth: {
    planCode: 'base_berth',
    name: 'Berth booking',
    description: {
      en: 'See which berth is free, and book it.',
      de: 'Sehen, welcher Liegeplatz frei ist, und ihn buchen.',
    },
    icon: 'box',
    unitAmount: 3500,
  },
  tide_alerts: {
    planCode: 'addon_tide_alerts',
    name: 'Tide alerts',
    description: { en: "Know the harbour's tide an hour ahead.", de: 'Die Tide im Hafen eine Stunde vorher kennen.' },
    icon: 'alert',
    unitAmount: 700,
  },
  fuel: {
    planCode: 'addon_fuel',
    name: 'Fuel',
    description: { en: 'Order fuel to the berth.', de: 'Kraftstoff an den Liegeplatz bestellen.' },
    icon: 'card',
    unitAmount: 1200,
  },
}

describe('The steps of CONTRIBUTING to other products', () => {
  let copy: string

  const run = (script: string, ...args: string[]) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, ['--run', script, '--', ...args], {
      cwd: copy,
      env: { PATH: process.env.PATH },
      encoding: 'utf8',
    })
    return { status, output: `${stdout}${stderr}` }
  }
  const passed = { status: 0, output: expect.any(String) }

  async function sell(products: object): Promise<void> {
    const file = join(copy, 'infra', 'data', 'products.ts')
    const text = await readFile(file, 'utf8')
    const old = /export const productsOnSale = \{[\s\S]*\n\} as const/.exec(text)?.[0] ?? '-'
    await writeFile(
      file,
      text.replace(old, `export const productsOnSale = ${JSON.stringify(products, null, 2)} as const`),
    )
  }

  beforeAll(async () => {
    copy = await copyProject()
  })
  afterAll(() => rm(copy, { recursive: true }))

  it('say what a product lacks', async () => {
    const { fuel, ...rest } = others
    await sell({ ...rest, fuel: { ...fuel, icon: 'barrel', description: { en: fuel.description.en } } })
    const { status, output } = run('products', 'check')
    expect({ status, lines: output.trim().split('\n') }).toEqual({
      status: 1,
      lines: [
        'infra/data/products.ts: fuel.description.de is missing',
        expect.stringMatching(/^infra\/data\/products\.ts: fuel\.icon is none of home, box, card, /),
      ],
    })
  })

  it('name each file that is to be generated', async () => {
    await sell(others)
    const { status, output } = run('products', 'check')
    expect({
      status,
      files: output
        .trim()
        .split('\n')
        .map((line) => line.split(' ')[0]),
    }).toEqual({
      status: 1,
      files: [
        'lib/billing/planCodes.ts',
        'infra/console/src/billing/products/productIcons.ts',
        'infra/console/src/texts/en/productDescriptions.ts',
        'infra/console/src/texts/de/productDescriptions.ts',
        'infra/openapi/examples.json',
        'lib/http/openapi.json',
        'infra/client/src/schema.ts',
      ],
    })
  })

  it('generate them by one command, after which nothing is missing and the project compiles', () => {
    expect(run('products')).toEqual(passed)
    expect(run('products', 'check')).toEqual({ status: 0, output: 'Nothing is missing: berth, tide_alerts, fuel\n' })
    expect(run('types')).toEqual(passed)
  })

  it('start a stack that sells them, and plays the demo with them', async () => {
    const stack = spawnScript('local/start.ts', ['--port', '0'], {}, 'none', copy)
    try {
      const info = await stack.ready()
      const client = localClient(info)
      const token = await client.accessToken('owner')
      const organizationId = info.demo.organization_id
      const send = async (method: 'GET' | 'POST', path: string, body?: object) =>
        client.send({ method, path: `${path}?organization_id=${organizationId}`, token, ...(body && { body }) })

      const row = z.object({ product: z.string(), name: z.string(), price: z.object({ amount: z.number() }) })
      const { products } = z.object({ products: z.array(row) }).parse((await send('GET', '/api/billing/products')).body)
      expect(products).toEqual(
        Object.entries(others).map(([product, { name, unitAmount }]) => ({
          product,
          name,
          price: { amount: unitAmount },
        })),
      )

      const payment_method_id = await client.addCard({ token, organizationId, testCard: 'pm_card_visa' })
      const cart = { product_codes: ['addon_tide_alerts', 'base_ota'], payment_method_id }
      const bought = await send('POST', '/api/billing/checkout', cart)
      expect(bought.body).toMatchObject([
        { ok: true, product: 'tide_alerts' },
        { ok: false, error: 'unknown_plan' },
      ])
      const entitlements = z.object({ entitlements: z.array(z.object({ product: z.string(), active: z.boolean() })) })
      const active = async () =>
        entitlements
          .parse((await send('GET', '/api/billing/entitlements')).body)
          .entitlements.flatMap((each) => (each.active ? [each.product] : []))
      for (let tries = 0; (await active()).length === 0 && tries < 100; tries += 1) await delay(100)
      expect(await active()).toEqual(['tide_alerts'])

      expect(run('demo', '--port', new URL(info.base_url).port)).toEqual(passed)
    } finally {
      await stack.stop()
    }
  })
})
