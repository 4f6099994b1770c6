import type { LocalClient } from '../../local/localClient.ts'

/** What a check is given. */
export interface CheckContext {
  /** The document as its users get it, in a file. */
  readonly documentFile: string
  readonly document: unknown
  /** A directory for this check alone, which is removed afterwards. */
  readonly directory: string
  /** A client of the stack that the API runs on. */
  readonly client: LocalClient
  /** Writes what a program needs to buy a product, in an organization of its own, and returns the environment that names the file. */
  readonly purchase: (directory: string) => Promise<Readonly<Record<string, string>>>
}

/** Something that reads the document as its users do: a generator with its language, or a linter. */
export interface Check {
  readonly name: string
  /** Of the tool, exact. */
  readonly version: string
  /** What was done, in words. @throws Unavailable, or Error for a mistake of the document */
  readonly run: (context: CheckContext) => Promise<string>
}
