import { describe, expect, it } from '@jest/globals'
import { summaryOf } from '../../../../infra/aws/moto/summaryOf.ts'

describe('The last line of npm run deploy:moto', () => {
  it('says how many of how many resources it deployed, of all stacks', () => {
    const data = { deployed: 9, notMade: 0, unknown: 5 }
    const web = { deployed: 0, notMade: 0, unknown: 3 }
    expect(summaryOf([data, web])).toBe('9 of 17 resources were deployed: moto does not know 8.')
  })

  it('counts what was not made although moto knows it', () => {
    expect(summaryOf([{ deployed: 9, notMade: 2, unknown: 5 }])).toBe(
      '9 of 16 resources were deployed: 2 were not made, moto does not know 5.',
    )
  })
})
