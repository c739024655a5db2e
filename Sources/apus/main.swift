// SPDX-License-Identifier: MIT

import ApusCommand

Command.main()
