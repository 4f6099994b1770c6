import { describe, expect, it } from '@jest/globals'
import { coverage } from 'stripe-emulator'
import { renderCoverage, renderResources } from '../../../infra/docs/documents.ts'

const lineOf = (operation: string) =>
  renderCoverage()
    .split('\n')
    .find((line) => line.startsWith(`${operation}: `))

describe('The documents of what the Stripe emulator covers', () => {
  it('name each resource with an operation that is covered, and no other', () => {
    expect(renderResources()).toMatch(/`prices`, `products`, /)
    expect(renderResources()).toMatch(/^Of .*`issuing`, .* only lists/m)
    expect(renderResources()).not.toContain('`quotes`')
  })

  it('list every operation that is covered, and no other', () => {
    const named = [...renderCoverage().matchAll(/^((?:GET|POST|DELETE) \/v1[^:\n]*)/gm)].map(([, name]) => name)
    const covered = coverage().filter(({ params }) => params !== undefined)
    expect(named.toSorted()).toEqual(covered.map(({ method, path }) => `${method} ${path}`).toSorted())
    expect(named).toEqual(expect.arrayContaining(['GET /v1/products', 'POST /v1/products/*']))
    expect(named).not.toContain('DELETE /v1/prices/*')
    expect(renderCoverage()).not.toContain('authenticate')
  })

  it('name the parameters that are taken, and members of these that are not, at any level', () => {
    const line = lineOf('POST /v1/payment_methods')
    expect(line).toContain('card (not networks)')
    expect(line).not.toContain('sepa_debit')
    expect(lineOf('POST /v1/subscriptions')).toMatch(/items \(not billing_thresholds, /)
  })

  it('name the parameters of every list and every search once', () => {
    expect(lineOf('GET /v1/subscription_items')).toBe('GET /v1/subscription_items: subscription, paging')
    expect(lineOf('GET /v1/prices/search')).toBe('GET /v1/prices/search: search')
    expect(renderCoverage().match(/starting_after/g)).toHaveLength(1)
  })
})
