import { type Action, strangerIn, type worlds } from './strangersWorld.ts'

export const requests = [
  'registers with the name',
  'registers with another name',
  'registers with a name that is taken',
  'registers the name elsewhere',
  'asks for a reset',
  'asks for a verification',
  'signs in',
  'invites the address',
  'asks to change to the address',
  'renames to the name',
  'uses the link in the last mail',
] as const satisfies readonly Action[]

export const forms = [
  'sends the form for an account',
  'sends the form for a password',
  'sends the form for a verification',
] as const satisfies readonly Action[]

/** Every sequence of so many of these. */
export function sequences(of: readonly Action[], length: number): Action[][] {
  return length === 0 ? [[]] : sequences(of, length - 1).flatMap((before) => of.map((last) => [...before, last]))
}

export async function seen(
  world: keyof typeof worlds,
  sequence: readonly Action[],
  options: { hasLittleMail?: boolean },
) {
  const stranger = await strangerIn(world, options)
  const all: string[] = []
  for (const action of sequence) all.push(await stranger.sees(action))
  return all.join('\n')
}

/** The sequences of which something differs from the world with nothing at the address. */
export async function differing(world: keyof typeof worlds, all: readonly Action[][], options = {}): Promise<string[]> {
  const different: string[] = []
  for (const sequence of all) {
    if ((await seen(world, sequence, options)) !== (await seen('nothing', sequence, options))) {
      different.push(sequence.join(', '))
    }
  }
  return different
}

/** What was at the address before the stranger came. */
export const occupied = [
  'an account',
  'an account that was switched off',
  'a registration',
  'a registration that has ended',
] as const
