import { afterAll, describe, expect, it } from '@jest/globals'
import type { TokenRequest } from '../../../lib/oauth/token/tokenRequest.ts'
import type { Choose, PortCall } from '../../proof/world/orders/gate.ts'
import { brokenAnswers } from './tokenRules.ts'
import { createTokenStories, type TokenStory } from './tokenStories.ts'
import { createTokenWorld, type TokenWorld } from './tokenWorld.ts'

let schedules = 0
afterAll(() => {
  process.stdout.write(`schedules of the token endpoint: ${schedules}\n`)
})

describe.each([
  ['one code', 'exchange of a code', 'exchange of a code', 1],
  ['one device code', 'poll of a device that was allowed', 'poll of a device that was allowed', 1],
  ['one refresh token', 'refresh', 'refresh', 2],
  ['one refresh token that was answered before', 'refresh sent again', 'refresh sent again', 2],
  ['one refresh token that was answered before, and its successor', 'refresh sent again', 'successor', 1],
  ['a code that was used and the refresh token that it gave', 'refresh', 'used code', 0],
] as const)('Two requests side by side, with %s', (_, name, other, mustGrant) => {
  it('keep every rule in every order of their calls', async () => {
    const story = (await createTokenStories()).find((candidate) => candidate.name === name)
    if (!story) throw new Error(`There is no story ${name}`)
    const others = { 'used code': story.before, successor: await successorOf(story) }
    const requests = [story.request, other === 'used code' || other === 'successor' ? others[other] : story.request]
    for (const world of await everyOrder(story, requests)) {
      schedules += 1
      const { exchanges, stores, signed, violations, trace } = world
      const granted = exchanges.filter(({ ending }) => ending.kind === 'answered').length
      const broken = [...violations, ...brokenAnswers(exchanges, stores.save(), { matches: true, signed })]
      expect({ broken, enough: granted >= mustGrant, trace }).toEqual({ broken: [], enough: true, trace })
      expect(exchanges.filter(({ ending }) => ending.kind === 'crashed')).toEqual([])
    }
  })
})

/** The request with the refresh token that answers this one. */
async function successorOf({ beginning, request }: TokenStory): Promise<TokenRequest> {
  const world = createTokenWorld(7, { faults: [] }, beginning)
  const ending = await world.run(request)
  return { ...request, refreshToken: ending.kind === 'answered' ? ending.value.refreshToken : undefined }
}

/** The world after the requests, once for every order in which their calls can be made. */
async function everyOrder(story: TokenStory, requests: readonly TokenRequest[]): Promise<TokenWorld[]> {
  const worlds: TokenWorld[] = []
  let prefix: number[] | undefined = []
  while (prefix) {
    const steps: { chosen: number; options: number }[] = []
    const world = createTokenWorld(7, { faults: [] }, story.beginning)
    await world.runTogether(requests, followed(prefix, steps))
    worlds.push(world)
    const last = steps.findLastIndex(({ chosen, options }) => chosen + 1 < options)
    const taken = steps.slice(0, last + 1).map(({ chosen }, index) => (index === last ? chosen + 1 : chosen))
    prefix = last < 0 ? undefined : taken
  }
  return worlds
}

/** Follows the prefix and then the oldest call; notes how many calls were waiting at every step. */
function followed(prefix: readonly number[], steps: { chosen: number; options: number }[]): Choose {
  return (ready) => {
    const chosen = prefix[steps.length] ?? 0
    steps.push({ chosen, options: ready.length })
    return required(ready[chosen])
  }
}

function required(call: PortCall | undefined): PortCall {
  if (!call) throw new Error('The same prefix led to other calls')
  return call
}
