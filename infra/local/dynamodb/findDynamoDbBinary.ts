import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const { resolve } = createRequire(import.meta.url)

/**
 * The path of the DynamoDB emulator, an optional dependency that npm installs on the platforms it is built for.
 * @throws Error that names the alternatives where it is not installed
 */
export function findDynamoDbBinary(platform = `${process.platform}-${process.arch}`): string {
  const name = `@dynoxide/${platform}`
  try {
    const binary = join(dirname(resolve(`${name}/package.json`)), 'dynoxide')
    if (existsSync(binary)) return binary
  } catch {
    // Not installed: answered below, as an installation without the file is.
  }
  throw new Error(
    `No local DynamoDB for ${platform} (${name} is not installed): run \`npx dynoxide --port 8000\` or DynamoDB Local in Docker ` +
      '(`docker run --rm -p 8000:8000 amazon/dynamodb-local`) and set AWS_ENDPOINT_URL_DYNAMODB=http://127.0.0.1:8000',
  )
}
