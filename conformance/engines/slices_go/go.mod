module oldhearts

go 1.21
