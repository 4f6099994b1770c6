import { readFileSync } from 'node:fs'
import { describe, expect, it } from '@jest/globals'
import { manifest } from '../../../infra/manifest.ts'

function sectionOf(heading: string): string {
  const guide = readFileSync(new URL('../../../functions/README.md', import.meta.url), 'utf8')
  return guide.split(`## ${heading}\n`)[1]?.split('\n## ')[0] ?? ''
}

/** The operations that a section of the guide names: `GET /api/billing/products`. */
const operationsIn = (heading: string) =>
  [...sectionOf(heading).matchAll(/`((?:GET|POST|PATCH|DELETE) \/[^`]+)`/g)].map(([, line]) => line)

describe('The API guide’s billing page', () => {
  it('is built of every operation of billing, of an organization and its audit log, each named once', () => {
    const operations = manifest.flatMap(({ name, trigger }) => {
      if (trigger.kind !== 'http') return []
      const isShown =
        trigger.path.startsWith('/api/billing/') || name === 'organization' || name === 'organizations-audit-log'
      return isShown ? [`${trigger.method} ${trigger.path}`] : []
    })
    expect(operationsIn('Build a billing page').toSorted()).toEqual(operations.toSorted())
  })
})
