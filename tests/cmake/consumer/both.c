int both_vendors(void);

int both_vendors(void) {
    return 2;
}
