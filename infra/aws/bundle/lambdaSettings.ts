import { fromStatic, type LoadedConfigSelectors } from '@smithy/core/config'

/**
 * Replaces the SDK's search for settings of its clients in bundles: takes the environment's value if there is one, else the default.
 * The SDK would look for files in between, but Lambda has neither the files nor their home directory.
 * @see https://docs.aws.amazon.com/sdkref/latest/guide/settings-reference.html
 */
export function loadConfig<Value>(
  { environmentVariableSelector, default: otherwise }: LoadedConfigSelectors<Value>,
  options: object = {},
): () => Promise<Value> {
  let found: Promise<Value> | undefined
  async function find(): Promise<Value> {
    try {
      const set = environmentVariableSelector(process.env, options)
      if (set !== undefined) return set
    } catch {
      // Ignore a value that the setting does not allow, as the SDK does.
    }
    return await fromStatic(otherwise)()
  }
  return () => {
    found ??= find()
    return found
  }
}
