// Generated from package.json by 'npm run generate'; do not edit.
export const version = '0.2.0'
