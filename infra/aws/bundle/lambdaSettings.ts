import { fromStatic, type LoadedConfigSelectors } from '@smithy/core/config'

/**
 * Replaces the SDK's search for settings of its clients in bundles: the environment, where it holds a value of the setting, or else the default.
 * The files that the SDK looks for between the two, and the home directory that they would be in, are not on Lambda.
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
      // A value that the setting does not have counts as none, as it does in the SDK.
    }
    return await fromStatic(otherwise)()
  }
  return () => {
    found ??= find()
    return found
  }
}
