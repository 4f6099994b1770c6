import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * A reporter of jest: with `STRIPE_SPEC=<Stripe's OpenAPI file>` set, every answer of the emulator is checked against it once the tests
 * are through, and the run fails on a mismatch. Unset, it says so in one line.
 */
class SpecReporter {
  readonly #specPath = process.env.STRIPE_SPEC || undefined
  #folder: string | undefined
  #error: Error | undefined

  onRunStart(): void {
    if (this.#specPath === undefined) return
    this.#folder = mkdtempSync(join(tmpdir(), 'stripe-spec-'))
    // Workers are started later and inherit it.
    process.env.STRIPE_SPEC_ANSWERS = this.#folder
  }

  async onRunComplete(): Promise<void> {
    if (this.#specPath === undefined || this.#folder === undefined) {
      console.error("Stripe's OpenAPI file: answers and paths not checked against it, STRIPE_SPEC is unset")
      return
    }
    try {
      // The checker and its packages are wanted only here.
      const { reportOnSpec } = await import('./specReport.ts')
      const { text, failed } = await reportOnSpec(this.#specPath, this.#folder)
      console.error(text)
      if (failed) this.#error = new Error("the emulator does not answer as Stripe's OpenAPI file says")
    } catch (error) {
      this.#error = error instanceof Error ? error : new Error(String(error))
      console.error(`Stripe's OpenAPI file: ${this.#error.message}`)
    } finally {
      await rm(this.#folder, { recursive: true })
    }
  }

  getLastError(): Error | undefined {
    return this.#error
  }
}

export default SpecReporter
