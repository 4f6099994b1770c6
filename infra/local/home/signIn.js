// A tab that has resumed a sign-in does so no second time, and the console's way back resumes it.
sessionStorage.clear()
location.replace('/_local/console/callback')
