import { describe, expect, it } from '@jest/globals'
import { searchStories } from './searchStories.ts'

const seed = Number(process.env.COMPANY_SEED ?? 20_261_129)

describe('Companies with hostile owners, hostile providers, domains that change hands and members who leave', () => {
  it('keep the promises of company sign-in in random stories', async () => {
    const found = await searchStories({ runs: 12, moves: 60, seed })
    expect(found).toMatchObject({ kind: 'kept' })
  })
})
