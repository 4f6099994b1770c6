import type * as z from 'zod/mini'
import type { Contract } from '../contract.ts'
import type { Answer } from './answer.ts'

type Status<C extends Contract> = keyof C['responses'] & number

/** An answer that a contract lists: one of its statuses with a body of that status. Bodies are not parsed, so this is their check. */
export type ContractAnswer<C extends Contract> = Answer &
  { [S in Status<C>]: { status: S; body: Immutable<z.input<C['responses'][S]>> } }[Status<C>]

/**
 * Refuses, at any depth of a body, members that its contract does not list: TypeScript looks for such in a literal only, and not in what a
 * function returns. To be intersected with the type of an answer.
 */
export type OnlyListed<C extends Contract, Given extends Answer> = [Unlisted<C, Given>] extends [never]
  ? unknown
  : { 'not in the contract': Unlisted<C, Given> }

type Unlisted<C extends Contract, Given extends Answer> = Excess<
  Given['body'],
  z.input<C['responses'][Given['status']]>
>

type Scalar = string | number | boolean | bigint | null | undefined

type Immutable<T> = unknown extends T
  ? T
  : T extends Scalar
    ? T
    : T extends readonly (infer Item)[]
      ? readonly Immutable<Item>[]
      : { readonly [K in keyof T]: Immutable<T[K]> }

/** The names of members of `Given`, at any depth, that `Wanted` does not have. */
type Excess<Given, Wanted> = unknown extends Wanted
  ? never
  : Given extends Scalar
    ? never
    : Given extends readonly (infer Item)[]
      ? Excess<Item, Extract<Wanted, readonly unknown[]>[number]>
      : ExcessOfObject<Given, Matching<Given, Wanted>>

type ExcessOfObject<Given, Wanted> =
  | Exclude<Sent<Given>, KeyOf<Wanted>>
  | { [K in keyof Given]-?: Excess<Given[K], MemberOf<Wanted, K>> }[keyof Given]

/** The names of members that JSON has: `JSON.stringify` leaves out `undefined`. */
type Sent<Given> = { [K in keyof Given]-?: [Given[K]] extends [undefined] ? never : K }[keyof Given]

/** The members of a union that `Given` is one of; all, if it matches only the union as a whole. */
type Matching<Given, Union> = [Fitting<Given, Union>] extends [never] ? Union : Fitting<Given, Union>
type Fitting<Given, Union> = Union extends unknown ? (Given extends Immutable<Union> ? Union : never) : never

type KeyOf<Union> = Union extends unknown ? keyof Union : never
type MemberOf<Union, K> = Union extends unknown ? (K extends keyof Union ? Union[K] : never) : never
