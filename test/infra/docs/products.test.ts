import { spawnSync } from 'node:child_process'
import { describe, expect, it } from '@jest/globals'
import { productsOnSale } from '../../../infra/data/products.ts'
import { filesBehind, productFaults } from '../../../infra/docs/productFaults.ts'
import { productModules } from '../../../infra/docs/productModules.ts'
import { looksAs } from '../../../infra/openapi/recordExamples.ts'

const { ota, ...rest } = productsOnSale

describe('npm run products -- check', () => {
  it('finds nothing missing in the project', () => {
    const root = new URL('../../../', import.meta.url)
    const { status, stdout } = spawnSync(process.execPath, ['infra/docs/products.ts', 'check'], {
      cwd: root,
      encoding: 'utf8',
    })
    expect({ status, stdout }).toEqual({
      status: 0,
      stdout: 'Nothing is missing: ota, monitoring, crash_reporting, remote_ssh\n',
    })
  })

  it.each<[string, object, string]>([
    ['a missing description', { description: { en: 'Only English.' } }, 'ota.description.de is missing'],
    ['an empty name', { name: ' ' }, 'ota.name is empty'],
    ['a price of nothing', { unitAmount: 0 }, 'ota.unitAmount is not above 0'],
    ['a price in parts of a cent', { unitAmount: 0.5 }, 'ota.unitAmount is no whole number of the smallest unit'],
    [
      'a plan code with a colon',
      { planCode: 'base:ota' },
      'ota.planCode may have a-z, 0-9, _ and -, at most 64 of them',
    ],
    [
      'a plan code used twice',
      { planCode: 'addon_monitoring' },
      'monitoring.planCode: addon_monitoring is already used',
    ],
    ['an unknown member', { price: 5 }, 'ota has unknown members: price'],
  ])('names %s', (_, change, fault) => {
    expect(productFaults({ ota: { ...ota, ...change }, ...rest })).toEqual([fault])
  })

  it('names an icon that the console does not draw, with those that it draws', () => {
    const [fault] = productFaults({ ota: { ...ota, icon: 'barrel' }, ...rest })
    expect(fault).toMatch(/^ota\.icon is none of home, box, card, .*update/)
  })

  it('names a code that does not suit paths, and a list that is too short or too long', () => {
    const named = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (__, at) => [`p${at}`, { ...ota, planCode: `plan_${at}` }]))
    expect(productFaults({ 'Over-the-air': ota, ...rest })).toEqual([
      'Over-the-air: a code has a-z, 0-9 and _, at most 40 of them',
    ])
    expect(productFaults(named(2))).toEqual(['2 products are too few: samples and demo buy 3'])
    expect(productFaults(named(20))).toEqual([])
    expect(productFaults(named(21))).toEqual(['21 products are too many: a cart takes 20'])
  })

  it('names the generated files that have other products', () => {
    const generated = (codes: readonly string[]) => ({
      examples: codes.map((code) => `"product": "${code}"`).join(),
      document: JSON.stringify({ components: { schemas: { Product: { enum: codes } } } }),
      clientTypes: `    Product: ${codes.map((code) => `'${code}'`).join(' | ')}\n    Role: 'owner'\n`,
    })
    expect(filesBehind(['a', 'b'], generated(['a', 'b']))).toEqual([])
    expect(filesBehind(['a', 'b'], generated(['a']))).toEqual([
      'infra/openapi/examples.json',
      'lib/http/openapi.json',
      'infra/client/src/schema.ts',
    ])
  })
})

describe('A module that is generated from the products', () => {
  it('quotes and breaks its lines as the formatter does', () => {
    const [en, de] = [`The harbour's ${'tide '.repeat(22)}`, 'Die „Tide“ um 5 o"clock']
    const texts = productModules({ tide: { ...ota, description: { en, de } } }).map(({ text }) => text.split('\n')[2])
    expect(texts.slice(2)).toEqual(['  tide:', `  tide: '${de}',`])
  })
})

describe('An example of the API document', () => {
  it.each([
    [{ product: 'ota', id: 'a' }, { product: 'ota', id: 'b' }, true],
    [{ product: 'ota', id: 'a' }, { product: 'fuel', id: 'a' }, false],
    [{ products: ['ota'] }, { products: ['fuel'] }, false],
    [{ msg: "Input should be 'ota' or 'sso'" }, { msg: "Input should be 'fuel' or 'sso'" }, false],
    [[{ product: 'ota' }], [{ product: 'ota' }, { product: 'fuel' }], false],
  ])('%j looks as %j: %s', (earlier, example, expected) => {
    expect(looksAs(earlier, example)).toBe(expected)
  })
})
