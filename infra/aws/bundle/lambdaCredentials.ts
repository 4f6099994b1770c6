/** Credentials in the shape that the SDK's clients take. */
interface LambdaCredentials {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly sessionToken?: string
}

/**
 * Replaces `@aws-sdk/credential-provider-node` in bundles. Returns the credentials of the function's role: Lambda puts them into the
 * environment, and replaces the sandbox before they expire. The chain's other links (SSO, profiles, web identity, processes, instance
 * metadata) never answer on Lambda. The provider fails if the variables are not set. Each call asks it, and it takes a microsecond to read
 * a variable, so it reads them once.
 */
export function defaultProvider(): () => Promise<LambdaCredentials> {
  let credentials: LambdaCredentials | undefined
  return async () => {
    credentials ??= readCredentials()
    return credentials
  }
}

function readCredentials(): LambdaCredentials {
  const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN } = process.env
  if (!AWS_ACCESS_KEY_ID || !AWS_SECRET_ACCESS_KEY) {
    throw new Error('A bundled function takes AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY as Lambda sets them: not set')
  }
  return {
    accessKeyId: AWS_ACCESS_KEY_ID,
    secretAccessKey: AWS_SECRET_ACCESS_KEY,
    ...(AWS_SESSION_TOKEN && { sessionToken: AWS_SESSION_TOKEN }),
  }
}
