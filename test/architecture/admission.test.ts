import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from '@jest/globals'

it('Records of organizations and of billing are handed out only with the admission of members before them', () => {
  const composed = readdirSync('lib/runtime').flatMap((file) => {
    const text = readFileSync(`lib/runtime/${file}`, 'utf8')
    const calls = text.matchAll(/(\w+\()?\b(createOrganizationRecords|createBillingRecords)\(/g)
    return [...calls].map(([, within, call]) => `${file}: ${within ?? ''}${call}`)
  })
  expect(composed).toEqual([
    'billing.ts: admittingRecords(createBillingRecords',
    'memberAdmission.ts: createOrganizationRecords',
  ])
})
