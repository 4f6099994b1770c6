import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { tokenFaultKinds } from './injectTokenFaults.ts'
import { tokenAwaits } from './tokenAwaits.ts'
import { tokenGapNames } from './tokenGaps.ts'
import { playTokens } from './tokenRun.ts'
import { createTokenStories, type TokenStory } from './tokenStories.ts'

let stories: readonly TokenStory[] = []
let runs = 0
beforeAll(async () => {
  stories = await createTokenStories()
})
afterAll(() => {
  const awaits = Object.values(tokenAwaits).flat().length
  process.stdout.write(
    `single faults of the token endpoint: ${stories.length} requests, ${awaits} awaits, ${tokenFaultKinds.length} kinds of ` +
      `fault, ${runs} runs\n`,
  )
})

function storyOf(name: string): TokenStory {
  const story = stories.find((candidate) => candidate.name === name)
  if (!story) throw new Error(`There is no story ${name}`)
  return story
}

it('every listed request has its story', () => {
  expect(stories.map(({ name }) => name)).toEqual(Object.keys(tokenAwaits))
})

describe.each(Object.entries(tokenAwaits))('%s', (name, listed) => {
  let awaits: readonly string[] = []

  it('makes the listed calls, each of which gets its faults', async () => {
    const { firstAwaits, broken } = await playTokens(storyOf(name), [], '+1 s')
    awaits = firstAwaits
    expect(firstAwaits.map((at) => at.replace(/^\d+\//, ''))).toEqual(listed)
    expect(broken).toEqual([])
  })

  // [threat 115.11]
  it('keeps every rule whichever single call fails, and is answered finally when it is sent again', async () => {
    expect(awaits.length).toBe(listed.length)
    const findings = new Map<string, string>()
    for (const at of awaits) {
      for (const kind of tokenFaultKinds) {
        for (const gap of tokenGapNames) {
          const { broken, trace } = await playTokens(storyOf(name), [{ at, kind }], gap)
          runs += 1
          if (broken.length > 0)
            findings.set(broken.join(), [`${at} ${kind}, ${gap}`, ...broken, ...trace].join('\n  '))
        }
      }
    }
    expect([...findings.values()]).toEqual([])
  })
})
