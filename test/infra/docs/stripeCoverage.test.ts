import { describe, expect, it } from '@jest/globals'
import { renderCoverage, renderResources } from '../../../infra/docs/stripeCoverage.ts'

const rowOf = (text: string, start: string) => text.split('\n').find((line) => line.startsWith(`| \`${start}\` |`))

describe('The tables of what the Stripe emulator covers', () => {
  it('divide the operations of a resource', () => {
    const [, , covered = '', missing = ''] = rowOf(renderResources(), 'products')?.split('|') ?? []
    expect(covered).toMatch(/`GET \/`.*`POST \/\*`/)
    expect(missing).toContain('`DELETE /*`')
    expect(renderResources()).toMatch(/501 as a whole: .*`issuing`/)
  })

  it('name the parameters, those of the second level and below too', () => {
    const [, , takes = '', refuses = ''] = rowOf(renderCoverage(), 'POST /v1/payment_methods')?.split('|') ?? []
    expect(takes).toContain('`card`')
    expect(refuses).toMatch(/`card\[networks\]`.*`sepa_debit`/)
    expect(rowOf(renderCoverage(), 'POST /v1/subscriptions')).toMatch(/`items\[\w+\]`|`items\[\]\[\w+\]`/)
    expect(renderCoverage()).not.toContain('authenticate')
  })
})
