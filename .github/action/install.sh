#!/usr/bin/env bash
# Installs the suite for the GitHub Action: a version from the registry, or the one that the action was checked out with.
# Writes the path of the program to the output `countersign`.
set -euo pipefail

folder="$RUNNER_TEMP/countersign"
mkdir -p "$folder"
if [ -n "${VERSION:-}" ]; then
  package="countersign@$VERSION"
else
  # The package is built by npm ci, and packed as it would be published.
  (cd "$ACTION_PATH" && npm ci --no-audit --no-fund)
  archive=$(cd "$ACTION_PATH" && npm pack --silent --ignore-scripts --pack-destination "$folder" | tail -n 1)
  package="$folder/$archive"
fi
npm install --no-audit --no-fund --no-save --prefix "$folder" "$package"
echo "countersign=$folder/node_modules/countersign/cli/countersign.js" >> "$GITHUB_OUTPUT"
