import type { BrokenPromise, Monitor } from './brokenPromise.ts'
import { checkOwners, checkPromises } from './checkPromises.ts'
import type { Guard } from './guards.ts'
import { type Counts, createHostileWorld, type HostileWorld } from './hostileWorld.ts'
import type { Move } from './moves.ts'
import * as owners from './ownersMoves.ts'
import * as signIns from './signInMoves.ts'

function make(world: HostileWorld, move: Move): Promise<void> {
  switch (move.kind) {
    case 'sign in':
      return signIns.signInByPassword(world, move)
    case 'sign on':
      return signIns.signOn(world, move)
    case 'finish':
      return signIns.finish(world, move)
    case 'get tokens':
      return signIns.getTokens(world, move)
    case 'log out':
      return signIns.logOut(world, move)
    case 'publish':
      return owners.publish(world, move)
    case 'domain':
      return owners.changeDomains(world, move)
    case 'acquire':
      return owners.acquire(world, move)
    case 'sign-on':
      return owners.changeSignOn(world, move)
    case 'rules':
      return owners.changeRules(world, move)
    case 'role':
      return owners.changeRoles(world, move)
    case 'invite':
      return owners.invite(world, move)
    case 'accept':
      return owners.acceptOffer(world, move)
    case 'add factor':
      return owners.addFactor(world, move)
    case 'new password':
      return owners.newPassword(world, move)
    case 'new address':
      return owners.newAddress(world, move)
    case 'wait':
      return owners.wait(world, move)
  }
}

/** What is played without, and which monitor alone is listened to. */
export interface Removal {
  readonly without: Guard
  readonly monitor: Monitor
}

/**
 * Makes these moves one after the other, and looks at every promise after each.
 * @returns the first promise that is broken; undefined if all are kept
 */
export async function playMoves(
  moves: readonly Move[],
  { removal, counts = new Map() }: { removal?: Removal | undefined; counts?: Counts } = {},
): Promise<BrokenPromise | undefined> {
  const world = await createHostileWorld({ without: removal?.without, counts })
  const isHeard = ({ monitor }: BrokenPromise) => removal === undefined || removal.monitor === monitor
  for (const company of ['acme', 'globex', 'evil'] as const) await settle(world, company)
  for (const [turn, move] of moves.entries()) {
    await make(world, move)
    world.catchUp()
    await checkPromises(world, turn)
    const broken = world.broken().find(isHeard)
    if (broken !== undefined) return broken
  }
  await checkOwners(world)
  return world.broken().find(isHeard)
}

/** The owner of a company signs in, and the company gets its domain and a sign-on. */
async function settle(world: HostileWorld, company: 'acme' | 'globex' | 'evil'): Promise<void> {
  const { model } = world
  const [owner] = model.company(company).members.keys()
  const browser = company === 'acme' ? 'one' : company === 'globex' ? 'two' : 'three'
  if (owner === undefined) return
  await make(world, { kind: 'sign in', who: model.people.indexOf(owner), browser })
  await make(world, { kind: 'get tokens', browser })
  await make(world, { kind: 'acquire', domain: `${company}.example`, company, membership: 'none', isAgreed: false })
  const settings = { issuer: `https://idp.${company}.example`, trustAcr: false, isEnforced: false } as const
  await make(world, { kind: 'sign-on', token: 1, company, isDeleted: false, ...settings })
}
