/** The sign-in. */
export const session = {
  welcome: {
    page: 'Sign in',
    title: 'Everything your devices need, in one place',
    lead: 'Choose the products that your team uses, and manage what you pay for.',
    button: 'Sign in',
    hint: 'New here? You can create an account on the next page.',
  },
  signingIn: 'Signing you in',
  notices: {
    expired: 'The sign-in has expired. Please sign in again.',
    refused: 'You did not sign in.',
    signed_out: 'You are signed out.',
    signed_out_elsewhere: 'You signed out in another tab.',
    signed_out_everywhere: 'You are signed out everywhere.',
    account_deleted: (day: string) =>
      `Your account will be deleted on ${day}. You can keep it with the link in our email.`,
  },
  handedOver: {
    page: 'Another user',
    title: (name: string | undefined) => `You signed in as ${name ?? 'someone else'} in another tab`,
    text: 'This tab still shows your other account. Reload it to continue. Until then it changes nothing in either account.',
    button: 'Reload',
  },
  notSignedInAgain: 'You did not sign in again, so nothing was changed',
}
