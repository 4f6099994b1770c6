import type { OperateDeps } from '../../lib/billing/operate/operate.ts'

/** What changes billing. Imported only when it is called: it reads the environment that the stack, or the shell, has set. */
export async function operateDeps(): Promise<OperateDeps> {
  const { reconcileDepsFromEnvironment } = await import('../../lib/runtime/billing.ts')
  const deps = await reconcileDepsFromEnvironment()
  await deps.clock.sync()
  return deps
}
