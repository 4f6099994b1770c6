import { isDeepStrictEqual } from 'node:util'
import { OAuthError } from '../../../lib/oauth/errors.ts'
import type { TokenFault } from './injectTokenFaults.ts'
import { type TokenGap, tokenGaps } from './tokenGaps.ts'
import { brokenAnswers, type Exchange, isOfDevice, tokenStateOf } from './tokenRules.ts'
import type { TokenStory } from './tokenStories.ts'
import { createTokenWorld, type TokenWorld } from './tokenWorld.ts'

/** What came of one run. */
interface TokenRun {
  /** What was broken, in words; empty where everything held. */
  broken: string[]
  trace: readonly string[]
  /** Calls that reached the gate before the first repeat. */
  firstAwaits: readonly string[]
}

/**
 * Plays a story with its faults. Then the client, who may have lost the answer, sends the same request again after the gap
 * and once more a second later; nothing fails any more, so it must be answered what the stores hold.
 */
export async function playTokens(
  story: TokenStory,
  faults: readonly TokenFault[],
  gap: TokenGap,
  seed = 7,
): Promise<TokenRun> {
  const { beginning, request } = story
  const world = createTokenWorld(seed, { faults, rival: request }, beginning)
  await world.run(request)
  const firstAwaits = [...world.awaits]
  const broken = brokenNow(world, story)
  for (const wait of [tokenGaps[gap], 1000]) {
    world.clock.advance(wait)
    broken.push(...(await repeat(world, story)), ...brokenNow(world, story))
  }
  return { broken: [...new Set([...broken, ...world.violations])], trace: world.trace, firstAwaits }
}

function brokenNow({ exchanges, stores, signed }: TokenWorld, { matches }: TokenStory): string[] {
  return brokenAnswers(exchanges, stores.save(), { matches, signed })
}

/**
 * New tokens for what is still good, the same refresh token for what was answered within 30 s; a device that waits is told so;
 * `invalid_grant` for the rest, which changes nothing but a family that is reused.
 */
async function repeat(world: TokenWorld, { request, matches, isSwitchedOff }: TokenStory): Promise<string[]> {
  const before = world.stores.save()
  const state = tokenStateOf(before, request, world.clock.now())
  const ending = await world.run(request)
  if (matches && (state.kind === 'good' || state.kind === 'answered')) {
    return ending.kind === 'answered' ? [] : [`a good request sent again is ${said(ending)}`]
  }
  if (ending.kind !== 'failed' || !(ending.error instanceof OAuthError)) return [`sent again it is ${said(ending)}`]
  if (matches && state.kind === 'waiting')
    return isOfDevice(ending.error) ? [] : [`a device that waits is ${said(ending)}`]
  const reused = (matches || isSwitchedOff) && state.kind === 'used'
  if (!reused) return isDeepStrictEqual(world.stores.save(), before) ? [] : ['a refusal changed what is stored']
  return world.stores.save().revokedFamilies.includes(state.familyId) ? [] : ['a reused family lives on']
}

function said(ending: Exchange['ending']): string {
  return ending.kind === 'failed' ? String(ending.error) : ending.kind
}
